// How fast the reduction kernels are, level by level, beside a plain copy.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "collectives/kernels.hpp"
#include "medians.hpp"

namespace {

using namespace detour;

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

// Whole pages of their own, as large messages have.
using Buffer = std::unique_ptr<std::byte[], decltype(&std::free)>;

Buffer make_buffer(std::size_t bytes) {
  Buffer buffer(static_cast<std::byte*>(std::aligned_alloc(4096, bytes)), &std::free);
  // A number in every format, neither subnormal nor NaN, that sums of a few don't overflow.
  std::memset(buffer.get(), 0x3C, bytes);
  return buffer;
}

struct Buffers {
  Buffers(std::size_t input_count, std::size_t bytes) : result(make_buffer(bytes)) {
    for (std::size_t at = 0; at < input_count; ++at) {
      inputs.push_back(make_buffer(bytes));
      addresses.push_back(inputs.back().get());
    }
  }
  Buffer result;
  std::vector<Buffer> inputs;
  std::vector<const std::byte*> addresses;
};

// Bytes that the loop reads and writes; what the caches fetch on top of that is not counted.
void report(benchmark::State& state, std::size_t bytes, std::size_t buffer_count) {
  state.counters["GB/s"] = benchmark::Counter(static_cast<double>(bytes * buffer_count) * 1e-9,
                                              benchmark::Counter::kIsIterationInvariantRate);
}

std::string size_name(std::size_t bytes) {
  return bytes < mib ? std::to_string(bytes / kib) + "KiB" : std::to_string(bytes / mib) + "MiB";
}

template <class Run>
void add(const std::string& name, std::size_t input_count, std::size_t bytes, Run run) {
  const auto measure = [=](benchmark::State& state) {
    Buffers buffers(input_count, bytes);
    for (auto _ : state) {
      run(buffers);
      benchmark::ClobberMemory();
    }
    report(state, bytes, input_count + 1);
  };
  benchmark::RegisterBenchmark((name + "/" + size_name(bytes)).c_str(), measure)
      ->MinTime(0.05)
      ->Repetitions(5)
      ->DisplayAggregatesOnly(true);
}

void add_copy(std::size_t bytes) {
  add("memcpy", 1, bytes,
      [=](Buffers& buffers) { std::memcpy(buffers.result.get(), buffers.addresses[0], bytes); });
}

void add_pair(ElementType type, Isa isa, Stores stores, std::size_t bytes) {
  const Kernel kernel = find_kernel(ReduceOp::sum, type, isa, stores);
  const std::size_t count = bytes / element_bytes(type);
  const std::string name_made = "sum/" + std::string(name(type)) + "/" + std::string(name(isa)) +
                                (stores == Stores::streaming ? "/streaming" : "");
  add(name_made, 2, bytes, [=](Buffers& buffers) {
    kernel(buffers.result.get(), buffers.addresses[0], buffers.addresses[1], count);
  });
}

void add_fused(ElementType type, std::size_t input_count, Stores stores, std::size_t bytes) {
  const FusedKernel kernel = find_fused_kernel(ReduceOp::sum, type, stores);
  const std::size_t count = bytes / element_bytes(type);
  const std::string name_made = "fused" + std::to_string(input_count) + "/" +
                                std::string(name(type)) +
                                (stores == Stores::streaming ? "/streaming" : "");
  add(name_made, input_count, bytes, [=](Buffers& buffers) {
    kernel(buffers.result.get(), buffers.addresses.data(), input_count, count);
  });
}

// What a fused kernel saves: the same sum by one call after the other.
void add_repeated(ElementType type, std::size_t input_count, std::size_t bytes) {
  const Kernel kernel = find_kernel(ReduceOp::sum, type);
  const std::size_t count = bytes / element_bytes(type);
  const std::string name_made =
      "repeated" + std::to_string(input_count) + "/" + std::string(name(type));
  add(name_made, input_count, bytes, [=](Buffers& buffers) {
    kernel(buffers.result.get(), buffers.addresses[0], buffers.addresses[1], count);
    for (std::size_t at = 2; at < input_count; ++at) {
      kernel(buffers.result.get(), buffers.result.get(), buffers.addresses[at], count);
    }
  });
}

void add_all(std::size_t bytes) {
  const ElementType types[] = {ElementType::float32, ElementType::float64, ElementType::float16,
                               ElementType::bfloat16, ElementType::int32};
  const bool is_large = bytes > 16 * mib;
  add_copy(bytes);
  for (const ElementType type : types) {
    for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
      if (isa > isa_in_use()) continue;
      add_pair(type, isa, Stores::cached, bytes);
      if (is_large) add_pair(type, isa, Stores::streaming, bytes);
    }
    for (const std::size_t input_count : {2u, 4u, 8u}) {
      add_fused(type, input_count, Stores::cached, bytes);
      if (is_large) add_fused(type, input_count, Stores::streaming, bytes);
    }
  }
  add_repeated(ElementType::float32, 8, bytes);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const std::size_t bytes : {16 * kib, mib, 64 * mib}) add_all(bytes);
  Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);
  benchmark::Shutdown();
}
