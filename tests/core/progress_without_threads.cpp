// Where the library's thread may not call MPI, nonblocking operations that need MPI have to get on while the
// program waits for something else.
#include "detour/detour.h"
#include "mpi_program.hpp"

namespace {

using namespace detour::test;

// Two operations on two communicators, completed in another order on every other rank.
void complete_in_different_orders(const MpiProgram& program) {
  MPI_Comm comms[2];
  MPI_Request requests[2];
  const int own = program.rank();
  int sums[2] = {};
  for (int at = 0; at < 2; ++at) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[at]);
    Detour_Prepare(comms[at]);
    Detour_Iallreduce(&own, &sums[at], 1, MPI_INT, MPI_SUM, comms[at], &requests[at]);
  }
  const int first = own % 2;
  Detour_Wait(&requests[first], MPI_STATUS_IGNORE);
  Detour_Wait(&requests[1 - first], MPI_STATUS_IGNORE);
  for (int at = 0; at < 2; ++at) {
    CHECK_THAT_HOLDS(sums[at] == program.sum_of_ranks());
    MPI_Comm_free(&comms[at]);
  }
}

// Rank 0 is in a receive, and rank 1 sends only when the operation has ended.
void complete_before_a_message(const MpiProgram& program) {
  Detour_Prepare(MPI_COMM_WORLD);
  const int own = program.rank();
  int sum = 0;
  int token = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  Detour_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  if (own == 0) MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Detour_Wait(&request, MPI_STATUS_IGNORE);
  if (own == 1) MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  CHECK_THAT_HOLDS(sum == program.sum_of_ranks());
}

}  // namespace

int main() {
  const MpiProgram program(MPI_THREAD_SINGLE);
  complete_in_different_orders(program);
  complete_before_a_message(program);
  return program.finish();
}
