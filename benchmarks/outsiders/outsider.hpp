// Measures the allreduce of a library that can't be called in the same process as Detour: a job of its own, with
// buffers used in turn and results checked as benchmarks/compare does for the others. It knows nothing of Detour, so
// that it can be compiled against whatever MPI.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace outsider {

struct Library {
  std::string name;
  std::string version;
  int rank = 0;
  int rank_count = 1;
  // `send` is null for an operation in place.
  std::function<void(const float* send, float* receive, std::size_t count)> allreduce;
  std::function<void()> barrier;
  // Over ranks, element by element; all ranks get the answer.
  std::function<void(std::vector<double>&)> take_maxima;
};

struct Options {
  bool in_place = false;
  double budget_s = 1;  // of a size
  std::size_t cache_bytes = 0;
  std::vector<std::size_t> sizes_bytes;
};

constexpr std::size_t period_count = 1021;
constexpr std::size_t round_count_min = 5;
constexpr std::size_t round_count_max = 20'000;
constexpr double longest_call_s = 5;  // larger messages would take longer still

// PROGRAM in|out SECONDS CACHE_BYTES BYTES...
inline Options read_options(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: %s in|out SECONDS CACHE_BYTES BYTES...\n", argv[0]);
    std::exit(2);
  }
  Options options;
  options.in_place = std::strcmp(argv[1], "in") == 0;
  options.budget_s = std::strtod(argv[2], nullptr);
  options.cache_bytes = std::strtoull(argv[3], nullptr, 10);
  for (int word = 4; word < argc; ++word) {
    options.sizes_bytes.push_back(std::strtoull(argv[word], nullptr, 10));
  }
  return options;
}

inline double now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

class SizeRun {
 public:
  SizeRun(const Library& library, const Options& options, std::size_t bytes)
      : library_(library),
        in_place_(options.in_place),
        count_(bytes / sizeof(float)),
        stride_((bytes < 4096 ? (bytes + 63) / 64 * 64 : (bytes + 4095) / 4096 * 4096 + 4096) /
                sizeof(float)) {
    const std::size_t slot_bytes = stride_ * sizeof(float) * (in_place_ ? 1 : 2) *
                                   static_cast<std::size_t>(library.rank_count);
    slot_count_ = std::max<std::size_t>(2, 2 * options.cache_bytes / slot_bytes + 1);
    receive_.reset(allocate(stride_ * slot_count_));
    if (!in_place_) send_.reset(allocate(stride_ * slot_count_));
    for (slot_ = 0; slot_ < slot_count_; ++slot_) {
      if (send_) fill(send_.get() + slot_ * stride_);
      restore();
    }
    slot_ = 0;
  }

  // The time of the slowest rank.
  double call(bool check_all) {
    float* const receive = receive_.get() + slot_ * stride_;
    const float* const send = send_ ? send_.get() + slot_ * stride_ : nullptr;
    library_.barrier();
    const double start_us = now_us();
    library_.allreduce(send, receive, count_);
    std::vector<double> us{now_us() - start_us};
    check(receive, check_all);
    restore();
    slot_ = (slot_ + 1) % slot_count_;
    library_.take_maxima(us);
    return us.front();
  }

 private:
  struct Free {
    void operator()(float* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<float[], Free>;

  static float* allocate(std::size_t count) {
    const std::size_t bytes = (count * sizeof(float) + 4095) / 4096 * 4096;
    auto* const memory = static_cast<float*>(std::aligned_alloc(4096, bytes));
    if (memory == nullptr) {
      std::fprintf(stderr, "no memory for buffers of %zu bytes\n", bytes);
      std::exit(2);
    }
    return memory;
  }

  // Whole numbers, so that sums are exact in any order.
  float input(std::size_t index, int rank) const {
    return static_cast<float>(index % period_count % 64) + static_cast<float>(rank);
  }
  void fill(float* data) const {
    for (std::size_t index = 0; index < count_; ++index) data[index] = input(index, library_.rank);
  }
  void restore() const {
    float* const receive = receive_.get() + slot_ * stride_;
    if (in_place_) {
      fill(receive);
    } else {
      std::memset(receive, 0xfe, count_ * sizeof(float));
    }
  }
  void check(const float* data, bool all) const {
    const int n = library_.rank_count;
    const std::size_t step = all ? 1 : std::max<std::size_t>(1, count_ / 16);
    for (std::size_t index = 0; index < count_; index += step) {
      const float expected =
          static_cast<float>(n) * input(index, 0) + static_cast<float>(n * (n - 1) / 2);
      if (data[index] == expected) continue;
      std::fprintf(stderr, "%s: wrong result: rank %d, element %zu: got %g, expected %g\n",
                   library_.name.c_str(), library_.rank, index, static_cast<double>(data[index]),
                   static_cast<double>(expected));
      std::exit(1);
    }
  }

  const Library& library_;
  bool in_place_;
  std::size_t count_;
  std::size_t stride_;
  std::size_t slot_count_ = 1;
  std::size_t slot_ = 0;
  Memory send_;
  Memory receive_;
};

// As detour_compare reads it.
inline std::string size_json(const Library& library, std::size_t bytes, std::vector<double> us) {
  std::sort(us.begin(), us.end());
  const auto count = static_cast<double>(us.size());
  const double spread = 0.98 * std::sqrt(count);
  const auto at = [&](double rank) {
    return us[static_cast<std::size_t>(std::min(std::max(rank, 1.0), count)) - 1];
  };
  char text[512];
  std::snprintf(text, sizeof text,
                "{\"bytes\": %zu, \"medians\": {\"%s\": {\"calls\": %zu, \"us\": %.9g, \"low_us\": "
                "%.9g, \"high_us\": %.9g}}, \"standings\": []}",
                bytes, library.name.c_str(), us.size(), at(std::ceil(count / 2)),
                at(std::floor(count / 2 - spread)), at(std::ceil(count / 2 + 1 + spread)));
  return text;
}

// Prints what it found on rank 0.
inline void measure(const Library& library, const Options& options) {
  std::string sizes;
  std::string note;
  for (const std::size_t bytes : options.sizes_bytes) {
    SizeRun run(library, options, bytes);
    const double first_us = run.call(true);
    const double second_us = run.call(true);
    const double wanted = options.budget_s * 1e6 / std::max(second_us, 0.1);
    const auto round_count =
        static_cast<std::size_t>(std::min(std::max(wanted, static_cast<double>(round_count_min)),
                                          static_cast<double>(round_count_max)));
    std::vector<double> us;
    const double end_us = now_us() + options.budget_s * 1e6;
    for (std::size_t round = 0; round < round_count; ++round) {
      us.push_back(run.call(round + 1 == round_count));
      // Barriers may take longer than calls. All ranks have to stop after the same one.
      std::vector<double> is_late{now_us() > end_us && us.size() >= round_count_min ? 1.0 : 0.0};
      if (round % 16 == 15) library.take_maxima(is_late);
      if (round % 16 == 15 && is_late.front() > 0) break;
    }
    sizes += (sizes.empty() ? "" : ", ") + size_json(library, bytes, us);
    if (std::min(first_us, second_us) > longest_call_s * 1e6) {
      note = "\"" + library.name + " is so slow that messages larger than " +
             std::to_string(bytes) + " bytes are left out\"";
      break;
    }
  }
  if (library.rank != 0) return;
  std::printf(
      "{\"ranks\": %d, \"in_place\": %s, \"mpi\": \"%s\", \"detour\": \"\", \"series\": "
      "[{\"name\": "
      "\"%s\", \"role\": \"outsider\", \"buffers\": \"any\"}], \"sizes\": [%s], \"notes\": [%s]}\n",
      library.rank_count, options.in_place ? "true" : "false", library.version.c_str(),
      library.name.c_str(), sizes.c_str(), note.c_str());
}

}  // namespace outsider
