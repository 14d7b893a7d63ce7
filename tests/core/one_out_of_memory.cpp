// One rank has too little memory for a call: all ranks learn of it, and the next call works.
#include <vector>

#include "detour/detour.h"
#include "failing_new.hpp"
#include "mpi_program.hpp"

namespace {

using namespace detour::test;

constexpr int number_count = 1 << 20;

void run_short(const MpiProgram& program) {
  if (program.rank() == 1) allocation_limits().bytes_max = 1 << 20;
}

// What a rank other than the root forms aside.
int reduce_in_order(const MpiProgram& program) {
  const AddInts in_order(false);
  const std::vector<int> own(number_count, 1);
  std::vector<int> sum(number_count);
  run_short(program);
  return Detour_Reduce(own.data(), sum.data(), number_count, MPI_INT, in_order.op(), 0,
                       MPI_COMM_WORLD);
}

// What all ranks gather for it.
int reduce_everywhere_in_order(const MpiProgram& program) {
  const AddInts in_order(false);
  std::vector<int> numbers(number_count, 1);
  run_short(program);
  return Detour_Allreduce(MPI_IN_PLACE, numbers.data(), number_count, MPI_INT, in_order.op(),
                          MPI_COMM_WORLD);
}

// The packed copy of what has gaps.
int broadcast_with_gaps(const MpiProgram& program) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(number_count / 2, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  std::vector<int> numbers(number_count);
  run_short(program);
  const int error = Detour_Bcast(numbers.data(), 1, type, 0, MPI_COMM_WORLD);
  allocation_limits() = {};
  MPI_Type_free(&type);
  return error;
}

void check_that_calls_work(const MpiProgram& program) {
  const int own = program.rank();
  int sum = 0;
  CHECK_THAT_HOLDS(Detour_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) ==
                   MPI_SUCCESS);
  CHECK_THAT_HOLDS(sum == program.sum_of_ranks());
}

}  // namespace

int main(int argument_count, char**) {
  const MpiProgram program;
  check_that_calls_work(program);
  const bool over_mpi = argument_count > 1;
  for (const auto call : {reduce_in_order, reduce_everywhere_in_order, broadcast_with_gaps}) {
    // Where memory is shared, nothing has to be gathered.
    if (!over_mpi && call == reduce_everywhere_in_order) continue;
    const int error = call(program);
    allocation_limits() = {};
    CHECK_THAT_HOLDS(error == MPI_ERR_NO_MEM);
    check_that_calls_work(program);
  }
  return program.finish();
}
