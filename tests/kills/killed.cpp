// Sums while ranks are killed at random moments: whoever is left gets every result, knows who is in it, and has the
// same results as all others.
//
//   killed SEED KILL_COUNT
#include <detour/detour.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

namespace {

constexpr int call_count = 300;
constexpr int rank_count_max = 16;

// A rank adds 1 << (4 * rank): every digit of a sum is how often that rank is in it.
std::uint64_t bits_of(std::uint64_t sum) {
  std::uint64_t bits = 0;
  for (int rank = 0; rank < rank_count_max; ++rank) {
    const std::uint64_t times = sum >> (4 * rank) & 0xf;
    if (times == 1) bits |= std::uint64_t{1} << rank;
    if (times > 1) return 0;
  }
  return bits;
}

[[noreturn]] void fail(int rank, int call, const char* what) {
  std::fprintf(stderr, "rank %d, call %d: %s\n", rank, call, what);
  std::fflush(stderr);
  PMPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

// From a thread of its own, so that it hits whatever the rank is doing.
void die_after(std::chrono::microseconds time) {
  std::thread([time] {
    std::this_thread::sleep_for(time);
    kill(getpid(), SIGKILL);
  }).detach();
}

std::uint64_t sum_up(int rank, int call, std::size_t count, bool in_place) {
  const std::vector<std::uint64_t> input(count, std::uint64_t{1} << (4 * rank));
  std::vector<std::uint64_t> output = in_place ? input : std::vector<std::uint64_t>(count);
  const void* const from = in_place ? MPI_IN_PLACE : static_cast<const void*>(input.data());
  if (Detour_Allreduce(from, output.data(), static_cast<int>(count), MPI_UINT64_T, MPI_SUM,
                       MPI_COMM_WORLD) != MPI_SUCCESS) {
    fail(rank, call, "an error");
  }
  for (const std::uint64_t value : output) {
    if (value != output[0]) fail(rank, call, "elements with different contributors");
  }
  const std::uint64_t bits = bits_of(output[0]);
  Detour_Result result;
  Detour_Last_result(MPI_COMM_WORLD, &result);
  if (bits == 0 || result.contributors[0] != bits) fail(rank, call, "contributors are wrong");
  return bits;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::mt19937 random(static_cast<unsigned>(std::atoi(argv[1])));
  const int kill_count = std::atoi(argv[2]);
  Detour_Prepare(MPI_COMM_WORLD);
  // The same draw on all ranks.
  std::vector<int> victims(static_cast<std::size_t>(size));
  for (int at = 0; at < size; ++at) victims[static_cast<std::size_t>(at)] = at;
  for (std::size_t at = victims.size() - 1; at > 0; --at) {
    std::swap(victims[at], victims[random() % (at + 1)]);
  }
  bool is_victim = false;
  for (int at = 0; at < kill_count; ++at) {
    const std::chrono::microseconds time(random() % 40'000);
    if (victims[static_cast<std::size_t>(at)] != rank) continue;
    is_victim = true;
    die_after(time);
  }
  std::uint64_t digest = 0xcbf29ce484222325;
  std::uint64_t before = ~std::uint64_t{0};
  for (int call = 0; call < call_count; ++call) {
    const std::size_t count = std::vector<std::size_t>{1, 100, 1000, 40'000, 200'000}[random() % 5];
    const bool in_place = random() % 2 == 0;
    const std::uint64_t bits = sum_up(rank, call, count, in_place);
    if ((bits & ~before) != 0) fail(rank, call, "the dead have come back");
    before = bits;
    digest = (digest ^ bits) * 0x100000001b3;
  }
  // However fast the machine: nobody gets away.
  while (is_victim) pause();
  std::uint64_t ends[2] = {digest, ~digest};
  std::uint64_t largest[2] = {};
  if (Detour_Allreduce(ends, largest, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD) != MPI_SUCCESS ||
      largest[0] != digest || largest[1] != ~digest) {
    fail(rank, call_count, "ranks have different results");
  }
  Detour_Result result;
  Detour_Last_result(MPI_COMM_WORLD, &result);
  if (result.contributor_count != size - kill_count) fail(rank, call_count, "not all were killed");
  std::printf("rank %d is done, with %d others\n", rank, result.contributor_count - 1);
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
