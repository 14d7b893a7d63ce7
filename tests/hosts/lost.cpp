// A program that sums for ever, in a job on several hosts that loses something; what it is says the argument.
//
//   lost rank     the last rank is killed
//   lost host     all processes of the last rank's host are killed
//   lost cable    the last rank's host is cut off
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int calls_before = 20;

void lose(const std::string& what) {
  if (what == "rank") ::raise(SIGKILL);
  if (what == "host") {
    ::kill(-1, SIGKILL);  // spares this one
    ::raise(SIGKILL);
  }
  // Nothing that is sent from here arrives any more.
  if (std::system("ip link set e0 down") != 0) ::_exit(3);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // Who gets an error waits for the end, so that the loss, and nothing that comes of it, is what ends the job.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const std::vector<double> input(10'000, 1);
  std::vector<double> output(input.size());
  for (int call = 0;; ++call) {
    if (call == calls_before && rank == size - 1) lose(argv[1]);
    const int error = MPI_Allreduce(input.data(), output.data(), static_cast<int>(input.size()),
                                    MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    while (error != MPI_SUCCESS) ::pause();
    if (output.back() != size) return 4;
  }
}
