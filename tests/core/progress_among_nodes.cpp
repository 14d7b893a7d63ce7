// While a rank waits in a collective call its own messages have to get on, also if it has no part in what
// the call sends to other nodes.
#include <cstddef>
#include <vector>

#include "detour/detour.h"
#include "mpi_program.hpp"
#include "own_host_name.hpp"

namespace {

using namespace detour::test;

// The receiver comes to the barrier only after the message, which is too large to be sent at once.
void send_from(int sender, const MpiProgram& program) {
  const int receiver = (sender + program.size() / 2) % program.size();
  constexpr int byte_count = 16 << 20;
  std::vector<char> message(byte_count, static_cast<char>(program.rank()));
  MPI_Request request = MPI_REQUEST_NULL;
  if (program.rank() == sender) {
    MPI_Isend(message.data(), byte_count, MPI_CHAR, receiver, 0, MPI_COMM_WORLD, &request);
  } else if (program.rank() == receiver) {
    MPI_Recv(message.data(), byte_count, MPI_CHAR, sender, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_THAT_HOLDS(message.back() == static_cast<char>(sender));
  }
  CHECK_THAT_HOLDS(Detour_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

int main() {
  const MpiProgram program;
  call_this_host(program.rank() < program.size() / 2 ? "first" : "second");
  Detour_Prepare(MPI_COMM_WORLD);
  for (int sender = 0; sender < program.size(); ++sender) send_from(sender, program);
  return program.finish();
}
