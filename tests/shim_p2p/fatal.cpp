// A program that leaves MPI's error handlers as they are: the first call on a dead rank ends the job, in words.
//
//   fatal wait|waitall
#include <string_view>

#include "job.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) job::die();
  int number = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&number, 1, MPI_INT, rank == 0 ? 1 : 0, job::tag, MPI_COMM_WORLD, &request);
  if (std::string_view(argv[1]) == "waitall") {
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  } else {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  std::printf("rank %d has gone on\n", rank);
  return 0;
}
