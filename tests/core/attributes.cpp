// The library's own communicators are none of the program's business: its attributes are not copied to them,
// and calls still work in the callbacks that MPI_Finalize makes.
#include "detour/detour.h"
#include "mpi_program.hpp"
#include "own_host_name.hpp"

namespace {

using namespace detour::test;

int copy_count = 0;
int delete_count = 0;
const MpiProgram* running = nullptr;

int count_copy(MPI_Comm, int, void*, void* value, void* copy, int* is_copied) {
  ++copy_count;
  *static_cast<void**>(copy) = value;
  *is_copied = 1;
  return MPI_SUCCESS;
}

int count_delete(MPI_Comm, int, void*, void*) {
  ++delete_count;
  return MPI_SUCCESS;
}

void use_a_communicator_with_attributes() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(count_copy, count_delete, &key, nullptr);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Comm_set_attr(comm, key, nullptr);
  CHECK_THAT_HOLDS(Detour_Barrier(comm) == MPI_SUCCESS);
  CHECK_THAT_HOLDS(copy_count == 0);
  MPI_Comm_free(&comm);
  CHECK_THAT_HOLDS(delete_count == 1);
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  MPI_Comm_free_keyval(&key);
}

// Set before the library's own, so MPI calls it later. Whoever is not the last one has to wait.
int work_at_the_end(MPI_Comm, int, void*, void*) {
  const int own = running->rank();
  int sum = 0;
  CHECK_THAT_HOLDS(Detour_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) ==
                   MPI_SUCCESS);
  CHECK_THAT_HOLDS(sum == running->sum_of_ranks());
  return MPI_SUCCESS;
}

}  // namespace

int main(int argument_count, char**) {
  const MpiProgram program;
  running = &program;
  // With any argument: on two nodes.
  if (argument_count > 1) call_this_host(program.rank() % 2 == 0 ? "first" : "second");
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, work_at_the_end, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  use_a_communicator_with_attributes();
  CHECK_THAT_HOLDS(Detour_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
  return program.finish();
}
