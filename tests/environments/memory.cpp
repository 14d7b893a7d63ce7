// Little memory and many communicators: every operation works, or fails on all ranks with MPI_ERR_NO_MEM, and the
// library keeps to what it may use.
#include <cstdio>
#include <vector>

#include "detour/detour.h"
#include "support/job.hpp"

using namespace detour::test;

namespace {

struct Tally {
  int done = 0;
  int out_of_memory = 0;
};

// Whether all ranks have seen the same.
bool is_unanimous(int error) {
  const int own[] = {error, -error};
  int least[2] = {};
  PMPI_Allreduce(own, least, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return least[0] == -least[1];
}

void sum_on(Job& job, MPI_Comm comm, int count, Tally& tally) {
  std::vector<float> values(static_cast<std::size_t>(count), 1.0F);
  const int error = MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_FLOAT, MPI_SUM, comm);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(error, &error_class);
  job.expect(is_unanimous(error_class), "all ranks get the same error");
  job.expect(error_class == MPI_SUCCESS || error_class == MPI_ERR_NO_MEM, "no other error");
  // In place, and out of memory: nothing was touched.
  const auto expected = error_class == MPI_SUCCESS ? static_cast<float>(job.size()) : 1.0F;
  job.expect(values == std::vector<float>(values.size(), expected), "the sum is right");
  ++(error_class == MPI_SUCCESS ? tally.done : tally.out_of_memory);
}

Detour_Statistics world_statistics() {
  Detour_Statistics statistics{};
  Detour_Get_statistics(MPI_COMM_WORLD, &statistics);
  return statistics;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int communicator_count = 60;
  Job job(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  std::vector<MPI_Comm> comms(communicator_count, MPI_COMM_NULL);
  Tally tally;
  for (MPI_Comm& comm : comms) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (const int count : {1, 100'000}) sum_on(job, comm, count, tally);
  }
  sum_on(job, MPI_COMM_WORLD, 4'000'000, tally);
  for (const char* policy : {"ring", "tree"}) {
    Detour_Set(MPI_COMM_WORLD, "policy", policy);
    for (const int count : {1, 1'000'000}) sum_on(job, MPI_COMM_WORLD, count, tally);
  }
  const Detour_Statistics statistics = world_statistics();
  job.expect(statistics.memory_bytes <= statistics.memory_limit_bytes,
             "memory in use is within the limit");
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  // With room again, there is no reason to do without it.
  const auto freed_bytes = world_statistics().memory_bytes;
  job.expect(freed_bytes < statistics.memory_bytes, "freed communicators give memory back");
  MPI_Comm last = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &last);
  job.expect(world_statistics().memory_bytes > freed_bytes, "a new one shares memory again");
  sum_on(job, last, 1000, tally);
  MPI_Comm_free(&last);
  if (job.rank() == 0) {
    std::printf("%d operations done, %d out of memory; %zu of %zu bytes in use\n", tally.done,
                tally.out_of_memory, static_cast<std::size_t>(statistics.memory_bytes),
                static_cast<std::size_t>(statistics.memory_limit_bytes));
  }
  return job.finish();
}
