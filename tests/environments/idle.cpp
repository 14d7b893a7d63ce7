// What waiting costs: all ranks but one are in MPI_Wait of a sum for two seconds before the last comes. And a sum
// that nobody waits for arrives all the same.
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "support/collective_checks.hpp"

using namespace detour::test;

namespace {

constexpr std::chrono::seconds idle_time{2};
// Of the machine, by all ranks together.
constexpr double share_max = 0.05;

// Of all threads of this process, and of the kernel for them.
double used_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Of this rank, while it waits for rank 0.
double cost_of_waiting(const Job& job) {
  int value = job.rank();
  int sum = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = used_seconds();
  if (job.rank() == 0) std::this_thread::sleep_for(idle_time);
  MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return used_seconds() - before;
}

}  // namespace

int main(int argc, char** argv) {
  Job job(&argc, &argv);
  check_progress_by_itself(job, MPI_COMM_WORLD, 1, "");
  check_progress_by_itself(job, MPI_COMM_WORLD, 100'000, "");

  const double own = cost_of_waiting(job);
  double everybodys = 0;
  PMPI_Allreduce(&own, &everybodys, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double cores = everybodys / std::chrono::duration<double>(idle_time).count();
  const double share = cores / static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  if (job.rank() == 0) {
    std::printf("%d ranks, idle for 2 s, used %.1f %% of a core, %.1f %% of the machine\n",
                job.size(), 100 * cores, 100 * share);
  }
  job.expect(share < share_max, "waiting takes less than 5 % of the machine");
  return job.finish();
}
