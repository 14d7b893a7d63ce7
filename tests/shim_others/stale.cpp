// What arrives for an operation that has failed, because a rank sent it that knew nothing of the death, must not get into
// memory that is the program's again, nor find a communicator gone that the program has freed.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr int block_length = 50'000;
constexpr int mine = 77;
constexpr int stale = 11;

int fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

int receive(int source) {
  return MPI_Recv(nullptr, 0, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int send(int destination) {
  return MPI_Send(nullptr, 0, MPI_INT, destination, 0, MPI_COMM_WORLD);
}

// Lets MPI work on whatever it has.
void exchange_messages(int other) {
  constexpr int count = 50;
  for (int at = 0; at < count; ++at) {
    send(other);
    receive(other);
    usleep(1'000);
  }
}

int be_root() {
  std::vector<int> received(3 * block_length, 0);
  const std::vector<int> sent(block_length, 0);
  const int error = MPI_Gather(sent.data(), block_length, MPI_INT, received.data(), block_length,
                               MPI_INT, 0, MPI_COMM_WORLD);
  if (error == MPI_SUCCESS) return fail("no error");
  std::fill(received.begin(), received.end(), mine);
  send(1);
  exchange_messages(1);
  if (std::count(received.begin(), received.end(), mine) != 3 * block_length) {
    return fail("the failed operation has written to the program's memory");
  }
  return 0;
}

// Past the library, which knows of the death.
int be_late() {
  const std::vector<int> sent(block_length, stale);
  receive(0);
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Igather(sent.data(), block_length, MPI_INT, nullptr, 0, MPI_INT, 0, MPI_COMM_WORLD,
               &request);
  exchange_messages(0);
  int is_complete = 0;
  PMPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
  return is_complete != 0 ? 0 : fail("the root did not take the message");
}

// A barrier in two rounds: the first one lacks the late rank's message, the second one the dead rank's. That the first
// one ends makes MPI begin the second.
int be_first(MPI_Comm comm, MPI_Request begun) {
  if (MPI_Wait(&begun, MPI_STATUS_IGNORE) == MPI_SUCCESS) return fail("no error in the barrier");
  MPI_Comm_free(&comm);
  send(1);
  exchange_messages(1);
  return 0;
}

int be_late_in_barrier(MPI_Comm comm) {
  receive(0);
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Ibarrier(comm, &request);
  exchange_messages(0);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // In which the late rank comes before the first, and the victim before that.
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Request begun = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Ibarrier(comm, &begun);
  if (rank == 2) {
    usleep(50'000);
    kill(getpid(), SIGKILL);
  }
  int result = rank == 0 ? be_root() : be_late();
  if (result == 0) result = rank == 0 ? be_first(comm, begun) : be_late_in_barrier(comm);
  MPI_Finalize();
  return result;
}
