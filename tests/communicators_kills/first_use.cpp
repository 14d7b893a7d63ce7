// Communicators that the library meets only after a rank of theirs has died, or whose rank dies while the others meet it there: no
// preload, so MPI itself has made them. All survivors get an error that says so, and all goes on elsewhere.
#include <detour/detour.h>

#include "survivors.hpp"

using namespace detour::test;

namespace {

int sum(MPI_Comm comm) {
  const int one = 1;
  int result = 0;
  return Detour_Allreduce(&one, &result, 1, MPI_INT, MPI_SUM, comm);
}

void expect_survivors_in_world(const Survivors& job) {
  const int one = 1;
  int count = 0;
  job.expect(Detour_Allreduce(&one, &count, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS,
             "a sum of the world");
  job.expect(count == std::popcount(job.living()), "all who live are in it");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Survivors job;
  MPI_Comm comms[3];
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  expect_survivors_in_world(job);
  job.lose_late(1);  // while the others wait for it
  job.expect(is_process_failure(sum(comms[0])), "an error of those who waited");
  job.expect(is_process_failure(sum(comms[0])), "the same again");
  job.expect(is_process_failure(sum(comms[1])), "an error where the death is known");
  expect_survivors_in_world(job);
  job.lose(3);  // known to some, maybe
  job.expect(is_process_failure(sum(comms[2])), "an error with several dead");
  expect_survivors_in_world(job);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  expect_survivors_in_world(job);
  job.finish();
  return 0;
}
