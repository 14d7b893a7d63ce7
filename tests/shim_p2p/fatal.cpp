// A program that leaves MPI's error handlers as they are: the first call on a dead rank ends the job, in words.
//
//   fatal wait|waitall|isend|ibarrier
#include <string_view>

#include "job.hpp"

namespace {

constexpr int victim = 1;

// Without ending the job.
void wait_for_death() {
  job::comm = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  job::wait_until_dead(victim);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

// One that fails on rank 0, while rank 2 waits for itself for ever; but for the barrier, which fails on both.
MPI_Request begin(std::string_view call, int rank) {
  static int number = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (call == "ibarrier") {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
  } else if (call == "isend" && rank == 0) {
    wait_for_death();
    MPI_Isend(&number, 1, MPI_INT, victim, job::tag, MPI_COMM_WORLD, &request);
  } else {
    MPI_Irecv(&number, 1, MPI_INT, rank == 0 ? victim : rank, job::tag, MPI_COMM_WORLD, &request);
  }
  return request;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string_view call = argv[1];
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == victim) {
    usleep(300'000);  // until the others have begun
    job::die();
  }
  MPI_Request request = begin(call, rank);
  if (call == "waitall") {
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  } else {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  std::printf("rank %d has gone on\n", rank);
  return 0;
}
