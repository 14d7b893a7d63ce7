// Ends in the way that its argument names, after the library has set up its memory.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string way = argc > 1 ? argv[1] : "normal";
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> values(100'000, 1.0);
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (way == "exit") std::exit(3);
  if (way == "abort") MPI_Abort(MPI_COMM_WORLD, 3);
  if (way == "kill") kill(getpid(), SIGKILL);
  MPI_Finalize();
  return 0;
}
