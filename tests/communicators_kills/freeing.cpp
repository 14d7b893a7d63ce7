// Frees communicators whose members die meanwhile; errors where there is nothing to be made without the dead.
#include "survivors.hpp"

using namespace detour::test;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Survivors job;
  MPI_Comm comms[3];
  for (MPI_Comm& comm : comms) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    job.expect_members(comm, job.living(), "dup");
  }
  job.lose_late(1);  // the others wait in MPI_Comm_free
  Survivors::free(comms[0]);
  job.let_all_know();
  Survivors::free(comms[1]);

  MPI_Comm made = MPI_COMM_NULL;
  const int dims[1] = {job.size()};
  const int periods[1] = {0};
  job.expect(is_process_failure(MPI_Cart_create(comms[2], 1, dims, periods, 0, &made)),
             "a topology of the dead is an error that says so");
  MPI_Comm of_survivors = MPI_COMM_NULL;
  job.expect(MPI_Comm_dup(comms[2], &of_survivors) == MPI_SUCCESS, "dup");
  const int fewer_dims[1] = {std::popcount(job.living())};
  job.lose_late(2);  // the others wait in MPI_Cart_create
  job.expect(is_process_failure(MPI_Cart_create(of_survivors, 1, fewer_dims, periods, 0, &made)),
             "a topology of the dying is an error that says so");
  Survivors::free(of_survivors);
  job.expect(MPI_Comm_dup(comms[2], &of_survivors) == MPI_SUCCESS, "dup");
  job.expect_members(of_survivors, job.living(), "dup");
  int living_dims[1] = {std::popcount(job.living())};
  job.expect(MPI_Cart_create(of_survivors, 1, living_dims, periods, 0, &made) == MPI_SUCCESS,
             "a topology of survivors");
  job.expect_members(made, job.living(), "a topology of survivors");
  Survivors::free(made);
  Survivors::free(of_survivors);
  Survivors::free(comms[2]);
  job.finish();
  return 0;
}
