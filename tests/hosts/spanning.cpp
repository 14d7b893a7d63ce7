// A program for several hosts: everything on the world and on parts of it, by every policy.
#include <string>
#include <vector>

#include "detour/detour.h"
#include "support/collective_checks.hpp"

using namespace detour::test;

namespace {

void check_policies(Job& job) {
  for (const char* cells : {"node", "rank"}) {
    Detour_Set(MPI_COMM_WORLD, "cells", cells);
    for (const char* policy : {"", "auto", "tree", "trees", "ring", "combs"}) {
      Detour_Set(MPI_COMM_WORLD, "policy", policy);
      const std::string where = std::string(", a cell per ") + cells + ", policy '" + policy + "'";
      for (const int count : {0, 1, 17, 5000}) check_collectives(job, MPI_COMM_WORLD, count, where);
      check_rank_order(job, MPI_COMM_WORLD, 1000, where);
    }
    Detour_Set(MPI_COMM_WORLD, "policy", "");
    check_collectives(job, MPI_COMM_WORLD, 300'000, std::string(", a cell per ") + cells);
  }
  Detour_Set(MPI_COMM_WORLD, "cells", "");
}

// Neighbours, every other rank, all in reverse order, and copies.
void check_parts(Job& job) {
  std::vector<MPI_Comm> comms(4, MPI_COMM_NULL);
  MPI_Comm_split(MPI_COMM_WORLD, job.rank() / 2, 0, &comms[0]);
  MPI_Comm_split(MPI_COMM_WORLD, job.rank() % 2, 0, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -job.rank(), &comms[2]);
  MPI_Comm_dup(comms[1], &comms[3]);
  for (auto& comm : comms) {
    for (const int count : {1, 40'000}) check_collectives(job, comm, count, ", on a part");
    check_rank_order(job, comm, 100, ", on a part");
    check_progress_by_itself(job, comm, 1000, ", on a part");
    MPI_Comm_free(&comm);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Job job(&argc, &argv);
  int level = MPI_THREAD_MULTIPLE;
  MPI_Query_thread(&level);
  job.expect(level == MPI_THREAD_SINGLE, "the program sees the thread level that it asked for");
  check_policies(job);
  check_parts(job);
  for (const int count : {1, 100'000}) check_progress_by_itself(job, MPI_COMM_WORLD, count, "");
  Detour_Statistics statistics{};
  Detour_Get_statistics(MPI_COMM_WORLD, &statistics);
  job.expect(statistics.operation_count > 500, "the library has done the operations");
  job.expect(statistics.error_count == 0, "no operation failed");
  if (job.rank() == 0) std::printf("%d ranks are done\n", job.size());
  return job.finish();
}
