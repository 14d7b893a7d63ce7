// Some of everything, for surroundings in which the library has to find another way. Says how it ended.
#include <cstdio>

#include "support/collective_checks.hpp"

using namespace detour::test;

int main(int argc, char** argv) {
  Job job(&argc, &argv);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, job.rank() % 2, 0, &half);
  for (const int count : {0, 1, 1000, 400'000}) {
    check_collectives(job, MPI_COMM_WORLD, count, "");
    check_collectives(job, half, count, ", on a half");
  }
  check_rank_order(job, MPI_COMM_WORLD, 1000, "");
  MPI_Comm_free(&half);
  if (job.rank() == 0) std::printf("%d ranks are done\n", job.size());
  return job.finish();
}
