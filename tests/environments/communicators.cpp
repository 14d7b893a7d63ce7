// Makes communicators, works on them and frees them, again and again: memory must not grow.
//
//   communicators COUNT
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "detour/detour.h"
#include "support/job.hpp"

using namespace detour::test;

namespace {

// Of this process, in memory.
double resident_bytes() {
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double shared_bytes() {
  Detour_Statistics statistics{};
  Detour_Get_statistics(MPI_COMM_WORLD, &statistics);
  return static_cast<double>(statistics.memory_bytes);
}

// The library's own thread may hold the last communicator a moment longer than the program.
bool falls_to(double bytes) {
  constexpr int look_count_max = 2000;
  for (int look = 0; look < look_count_max && shared_bytes() > bytes; ++look) usleep(1000);
  return shared_bytes() <= bytes;
}

// MPI's own pools move a little, however many there are; beyond that there is nothing to keep.
double growth_bytes_max(int communicator_count) {
  return 2e6 + 20.0 * communicator_count;
}

void use_one(Job& job, int number) {
  MPI_Comm comm = MPI_COMM_NULL;
  if (number % 2 == 0) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  } else {
    MPI_Comm_split(MPI_COMM_WORLD, 0, -job.rank(), &comm);
  }
  int sums[2] = {};
  const int value = number % 1000;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&value, &sums[0], 1, MPI_INT, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allreduce(&value, &sums[1], 1, MPI_INT, MPI_SUM, comm);
  job.expect(sums[0] == value * job.size() && sums[1] == sums[0], "sums are right");
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  Job job(&argc, &argv);
  const double shared_before = shared_bytes();
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int warm_up_count = count / 2;
  for (int i = 0; i < warm_up_count; ++i) use_one(job, i);
  const double resident_before = resident_bytes();
  for (int i = warm_up_count; i < count; ++i) use_one(job, i);
  const double growth_bytes = resident_bytes() - resident_before;
  job.expect(falls_to(shared_before), "shared memory is given back");
  job.expect(growth_bytes < growth_bytes_max(count),
             "memory does not grow with every communicator");
  if (job.rank() == 0) {
    std::printf("%d communicators, %.0f bytes more after the second half of them\n", count,
                growth_bytes);
  }
  return job.finish();
}
