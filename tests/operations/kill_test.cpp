// Ranks as processes that are killed at any moment: whoever is left gets every result, all the same one, and
// knows who is in it.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "direct_rank.hpp"
#include "support/catch.hpp"

using namespace detour;

namespace {

constexpr std::size_t rank_count_max = 8;
constexpr std::size_t call_count = 100;
constexpr std::size_t count_max = 12000;

// What ranks tell the test, in memory that outlives them.
struct Report {
  std::atomic<std::uint64_t> finished_calls{0};
  std::atomic<std::uint64_t> wrong_count{0};
  // By call: the ranks whose data is in the result, as bits.
  std::array<std::uint64_t, call_count> contributors{};
};

// Everything that the ranks of one job share.
class Job {
 public:
  Job(std::size_t rank_count, const MemberBlockLayout& layout) : layout_(layout) {
    decisions_at_ = layout.block_bytes() + layout.pipeline_bytes() + results_bytes;
    decisions_at_ = (decisions_at_ + 127) / 128 * 128;
    program_at_ = decisions_at_ + ShmDecisionStore::part_bytes(rank_count) + 127;
    program_at_ = program_at_ / 128 * 128;
    heap_bytes_ = program_at_ + 2 * count_max * sizeof(std::uint64_t);
    bytes_ = rank_count * (heap_bytes_ + sizeof(Report) + 128);
    void* const memory =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    memory_ = static_cast<std::byte*>(memory);
    auto* reports = memory_ + rank_count * heap_bytes_;
    for (std::size_t rank = 0; rank < rank_count; ++rank) {
      std::byte* const heap = memory_ + rank * heap_bytes_;
      blocks_.emplace_back(heap, std::size_t{0}, layout);
      blocks_.back().create();
      parts_.push_back(heap + decisions_at_);
      ShmDecisionStore::create_at(parts_.back(), rank_count);
      reports_.push_back(new (reports + rank * sizeof(Report)) Report);
    }
  }
  ~Job() { munmap(memory_, bytes_); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  const std::vector<MemberBlock>& blocks() const { return blocks_; }
  Report& report(std::size_t rank) const { return *reports_[rank]; }

  // In a process of its own.
  void run_rank(std::size_t rank, unsigned seed) const;

 private:
  // Too little for most of the large calls: then results in place overwrite inputs while others are still at work.
  static constexpr std::size_t results_bytes = 2048;

  MemberBlockLayout layout_;
  std::size_t decisions_at_ = 0;
  std::size_t program_at_ = 0;
  std::size_t heap_bytes_ = 0;
  std::size_t bytes_ = 0;
  std::byte* memory_ = nullptr;
  std::vector<MemberBlock> blocks_;
  std::vector<std::byte*> parts_;
  std::vector<Report*> reports_;
};

// A rank adds 1 << (8 * rank), so that every byte of a sum is the number of times that it is in.
std::uint64_t bits_of(std::uint64_t sum) {
  std::uint64_t bits = 0;
  for (std::size_t rank = 0; rank < rank_count_max; ++rank) {
    const std::uint64_t times = sum >> (8 * rank) & 0xff;
    if (times == 1) bits |= std::uint64_t{1} << rank;
    if (times > 1) return ~std::uint64_t{0};
  }
  return bits;
}

void Job::run_rank(std::size_t rank, unsigned seed) const {
  std::byte* const heap = memory_ + rank * heap_bytes_;
  DirectRank direct(rank, blocks_, parts_, layout_, results_bytes, {heap, heap_bytes_}, {},
                    DirectRank::usual_node(rank));
  auto* const mapped = reinterpret_cast<std::uint64_t*>(heap + program_at_);
  std::vector<std::uint64_t> elsewhere(2 * count_max);
  const KernelCombiner sum(ReduceOp::sum, ElementType::uint64);
  Report& report = *reports_[rank];
  std::mt19937 random(seed);  // the same on all ranks
  for (std::size_t call = 0; call < call_count; ++call) {
    const std::size_t count =
        std::vector<std::size_t>{1, 8, 9, 60, 100, 700, 3000, count_max}[random() % 8];
    const DirectWay way{.piece_bytes =
                            std::array<std::uint64_t, 6>{whole_chunk, whole_chunk, whole_chunk,
                                                         whole_chunk, 64, 4096}[random() % 6]};
    // Ranks may differ in these.
    const bool in_place = (random() + (random() % 3 == 0 ? rank : 0)) % 2 == 0;
    const bool is_mapped = (random() + (random() % 4 == 0 ? rank : 0)) % 2 == 0;
    std::uint64_t* const input = is_mapped ? mapped : elsewhere.data();
    std::uint64_t* const output = in_place ? input : input + count_max;
    std::fill_n(input, count, std::uint64_t{1} << (8 * rank));
    const Call call_made = allreduce_call(sum, input, output, count * sizeof(std::uint64_t));
    if (direct.run(call_made, way) != 0) ++report.wrong_count;
    const std::uint64_t bits = bits_of(output[0]);
    if (bits != direct.contributors().words()[0]) ++report.wrong_count;
    for (const std::uint64_t value : std::span(output, count)) {
      if (value != output[0]) ++report.wrong_count;
    }
    // Whoever still read any of it would count this.
    std::fill_n(input, count, ~std::uint64_t{0});
    std::fill_n(output, count, ~std::uint64_t{0});
    report.contributors[call] = bits;
    report.finished_calls.store(call + 1, std::memory_order_release);
  }
}

pid_t start(const Job& job, std::size_t rank, unsigned seed) {
  const pid_t pid = fork();
  if (pid == 0) {
    job.run_rank(rank, seed);
    _exit(0);
  }
  return pid;
}

// What a detector would do, once the kernel says that the rank is gone.
void bury(const Job& job, std::size_t rank, pid_t pid) {
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  seal(job.blocks()[rank]);
}

std::uint64_t calls_of(const Job& job, std::size_t rank) {
  return job.report(rank).finished_calls.load(std::memory_order_acquire);
}

}  // namespace

TEST_CASE("survivors of any kills agree on every result and on who is in it", "[exhaustive]") {
  std::size_t redone_count = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const std::size_t rank_count = 2 + random() % (rank_count_max - 1);
    const Job job(rank_count, {.small_bytes = 64,
                               .piece_bytes = 512,
                               .part_bytes_min = 64,
                               .read_in_place_bytes_min = 300,
                               .streamed_bytes_min = 6000,
                               .streamed_in_place_bytes_min = 6000});
    std::vector<pid_t> pids;
    for (std::size_t rank = 0; rank < rank_count; ++rank) pids.push_back(start(job, rank, seed));

    std::vector<std::size_t> living(rank_count);
    for (std::size_t rank = 0; rank < rank_count; ++rank) living[rank] = rank;
    const std::size_t kill_count = 1 + random() % (rank_count - 1);
    for (std::size_t kill = 0; kill < kill_count; ++kill) {
      // Half of them right after the one before, often in the same call. Otherwise wait for progress of a
      // random survivor, not for time.
      const std::size_t watched = living[random() % living.size()];
      const std::uint64_t wait = random() % 2 == 0 && kill > 0 ? 0 : 1 + random() % 60;
      const std::uint64_t until = calls_of(job, watched) + wait;
      while (calls_of(job, watched) < std::min<std::uint64_t>(until, call_count)) {
        std::this_thread::yield();
      }
      const std::size_t at = random() % living.size();
      bury(job, living[at], pids[living[at]]);
      living.erase(living.begin() + static_cast<std::ptrdiff_t>(at));
    }
    for (const std::size_t rank : living) {
      int status = 0;
      REQUIRE(waitpid(pids[rank], &status, 0) == pids[rank]);
      REQUIRE(status == 0);
      CHECK(job.report(rank).wrong_count == 0);
      CHECK(calls_of(job, rank) == call_count);
      CHECK(job.report(rank).contributors == job.report(living[0]).contributors);
    }
    // Members only go, and survivors are in every result.
    std::uint64_t before = ~std::uint64_t{0};
    for (const std::uint64_t bits : job.report(living[0]).contributors) {
      CHECK((bits & ~before) == 0);
      for (const std::size_t rank : living) CHECK((bits >> rank & 1) == 1);
      redone_count += bits != before ? 1 : 0;
      before = bits;
    }
    // What the dead had returned with stands.
    for (std::size_t rank = 0; rank < rank_count; ++rank) {
      for (std::size_t call = 0; call < calls_of(job, rank); ++call) {
        CHECK(job.report(rank).contributors[call] == job.report(living[0]).contributors[call]);
      }
    }
  }
  CHECK(redone_count > 60);
}
