// Four threads in each rank, each on a communicator of its own, in blocking and nonblocking operations at once.
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "support/job.hpp"

using namespace detour::test;

namespace {

constexpr int thread_count = 4;
constexpr int round_count = 200;

// The number of wrong results.
int work(MPI_Comm comm, int rank, int size, int thread) {
  int wrong_count = 0;
  for (int round = 0; round < round_count; ++round) {
    const int count = round % 10 == 0 ? 50'000 : 1 + round;
    const auto length = static_cast<std::size_t>(count);
    const std::vector<int> input(length, rank + thread + round);
    std::vector<int> early(length), late(length), spread(length, rank);
    const int sum = size * (size - 1) / 2 + size * (thread + round);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(input.data(), early.data(), count, MPI_INT, MPI_SUM, comm, &request);
    MPI_Allreduce(input.data(), late.data(), count, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(spread.data(), count, MPI_INT, size - 1, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const std::vector<int> expected(length, sum);
    if (early != expected || late != expected) ++wrong_count;
    if (spread != std::vector<int>(length, size - 1)) ++wrong_count;
  }
  return wrong_count;
}

}  // namespace

int main(int argc, char** argv) {
  Job job(&argc, &argv, MPI_THREAD_MULTIPLE);
  std::array<MPI_Comm, thread_count> comms{};
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::atomic<int> wrong_count = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < thread_count; ++thread) {
    threads.emplace_back([&, thread] {
      wrong_count += work(comms[static_cast<std::size_t>(thread)], job.rank(), job.size(), thread);
    });
  }
  for (std::thread& thread : threads) thread.join();
  job.expect(wrong_count == 0, "results of threads are right");
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  if (job.rank() == 0) std::printf("%d threads are done\n", thread_count);
  return job.finish();
}
