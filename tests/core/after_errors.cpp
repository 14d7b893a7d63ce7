// Calls that don't match, or are wrong on one rank, take different ways through the library: all ranks get
// the error, and the next calls work.
#include "detour/detour.h"
#include "mpi_program.hpp"

namespace {

using namespace detour::test;

int error_class(int error) {
  int its_class = MPI_SUCCESS;
  MPI_Error_class(error, &its_class);
  return its_class;
}

void check_that_calls_work(const MpiProgram& program) {
  const int own = program.rank();
  int number = own == 0 ? 42 : 0;
  CHECK_THAT_HOLDS(Detour_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK_THAT_HOLDS(number == 42);
  int sum = 0;
  CHECK_THAT_HOLDS(Detour_Reduce(&own, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD) ==
                   MPI_SUCCESS);
  CHECK_THAT_HOLDS(own != 0 || sum == program.sum_of_ranks());
  sum = 0;
  CHECK_THAT_HOLDS(Detour_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) ==
                   MPI_SUCCESS);
  CHECK_THAT_HOLDS(sum == program.sum_of_ranks());
}

void mix_up_barrier_and_bcast(const MpiProgram& program) {
  int number = 0;
  const int error = program.rank() == 0 ? Detour_Barrier(MPI_COMM_WORLD)
                                        : Detour_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  CHECK_THAT_HOLDS(error_class(error) == MPI_ERR_OTHER);
}

void be_wrong_in_an_ordered_reduction(const MpiProgram& program) {
  const AddInts in_order(false);
  const int own = program.rank();
  int sum = 0;
  const int count = own == 1 ? -1 : 1;
  const int error = Detour_Reduce(&own, &sum, count, MPI_INT, in_order.op(), 0, MPI_COMM_WORLD);
  CHECK_THAT_HOLDS(error_class(error) == MPI_ERR_COUNT);
}

void differ_in_order(const MpiProgram& program) {
  const AddInts add(program.rank() == 0);
  const int own = program.rank();
  int sum = 0;
  const int error = Detour_Reduce(&own, &sum, 1, MPI_INT, add.op(), 0, MPI_COMM_WORLD);
  CHECK_THAT_HOLDS(error_class(error) == MPI_ERR_OP);
}

// As many bytes, in elements of another size.
void differ_in_elements(const MpiProgram& program) {
  const AddInts add(true);
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  const int own[2] = {1, 1};
  int sum[2] = {};
  const int error = program.rank() == 0
                        ? Detour_Allreduce(own, sum, 1, pair, add.op(), MPI_COMM_WORLD)
                        : Detour_Allreduce(own, sum, 2, MPI_INT, add.op(), MPI_COMM_WORLD);
  CHECK_THAT_HOLDS(error_class(error) == MPI_ERR_TYPE);
  MPI_Type_free(&pair);
}

}  // namespace

int main() {
  const MpiProgram program;
  for (const auto go_wrong : {mix_up_barrier_and_bcast, be_wrong_in_an_ordered_reduction,
                              differ_in_order, differ_in_elements}) {
    go_wrong(program);
    check_that_calls_work(program);
  }
  return program.finish();
}
