// A rank that runs out of memory in a call that MPI has begun: the call fails, and MPI, which goes on with it, writes to no
// memory that is the program's.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/failing_new.hpp"

namespace {

using detour::test::allocation_limits;

constexpr int block_length = 1000;
constexpr int mine = 77;
constexpr int stale = 11;

int rank = 0;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  _exit(1);
}

// Lets MPI work on whatever it has.
void exchange_messages() {
  constexpr int count = 20;
  for (int at = 0; at < count; ++at) {
    MPI_Sendrecv(nullptr, 0, MPI_INT, 1 - rank, 0, nullptr, 0, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}

// Small pieces, among them those that the library has given back.
class Memory {
 public:
  bool is_untouched() const {
    return std::all_of(pieces_.begin(), pieces_.end(), [](const std::vector<int>& piece) {
      return std::count(piece.begin(), piece.end(), mine) == piece_length;
    });
  }

 private:
  static constexpr int piece_length = 100;
  std::vector<std::vector<int>> pieces_ =
      std::vector<std::vector<int>>(500, std::vector<int>(piece_length, mine));
};

bool others_go_on(bool goes_on) {
  int flag = goes_on ? 1 : 0;
  if (MPI_Bcast(&flag, 1, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS) fail("rank 0 is gone");
  return flag != 0;
}

// True if there were so many allocations in it.
bool gather_short(MPI_Comm comm, long allocation_count) {
  const std::vector<int> sent(block_length, 0);
  std::vector<int> received(2 * block_length, 0);
  MPI_Request request = MPI_REQUEST_NULL;
  allocation_limits().count_left = allocation_count;
  const int error = MPI_Igather(sent.data(), block_length, MPI_INT, received.data(), block_length,
                                MPI_INT, 0, comm, &request);
  allocation_limits() = {};
  int error_class = MPI_SUCCESS;
  MPI_Error_class(error, &error_class);
  if (error_class != MPI_SUCCESS && error_class != MPI_ERR_NO_MEM) fail("another error");
  const Memory memory;
  MPI_Barrier(MPI_COMM_WORLD);
  exchange_messages();
  if (!memory.is_untouched()) fail("what was given back is written to");
  if (error == MPI_SUCCESS) MPI_Wait(&request, MPI_STATUS_IGNORE);
  return error != MPI_SUCCESS;
}

// Past the library, after the root has done its part.
void gather_late(MPI_Comm comm) {
  static const std::vector<int> sent(block_length, stale);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Igather(sent.data(), block_length, MPI_INT, nullptr, 0, MPI_INT, 0, comm, &request);
  exchange_messages();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long allocation_count = 0;
  for (bool goes_on = true; goes_on; ++allocation_count) {
    MPI_Comm comm = MPI_COMM_NULL;  // one for each, because MPI may be left with an operation on it
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0) {
      goes_on = gather_short(comm, allocation_count);
    } else {
      gather_late(comm);
    }
    goes_on = others_go_on(goes_on);
  }
  if (rank == 0) std::printf("%ld allocations\n", allocation_count - 1);
  if (allocation_count < 4) fail("nothing has failed");
  MPI_Finalize();
  return 0;
}
