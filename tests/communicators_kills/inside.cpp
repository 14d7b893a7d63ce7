// A rank dies inside MPI's own function, where nothing can bring the others back: the job is ended, in words.
#include "survivors.hpp"

using namespace detour::test;

namespace {

// MPI copies what is kept with a communicator while it makes the new one.
int die_when_copied(MPI_Comm, int, void*, void*, void*, int* flag) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) die();
  *flag = 0;
  return MPI_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Survivors job;
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(die_when_copied, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, nullptr);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  job.finish();
  return 0;
}
