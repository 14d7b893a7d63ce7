// The collective operations that are left to MPI, each in a call whose result can be checked.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace others {

// A member's data: a block for each member, or neighbour, of which some calls use only the first. Every element
// of a block is the number of who it comes from, or goes to, and of the block.
struct Data {
  Data(MPI_Comm comm, int block_count, int block_length);

  MPI_Comm comm;
  int rank = 0;
  int length;
  std::vector<int> sent;
  std::vector<int> received;
  // For calls that take lists: all blocks are of the same length.
  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<int> displacements_bytes;
  std::vector<MPI_Aint> addresses_bytes;
  std::vector<MPI_Datatype> types;
};

struct OtherCall {
  std::string name;
  bool needs_neighbours = false;
  bool is_nonblocking = false;
  // Blocking calls leave the request alone.
  std::function<int(Data&, MPI_Request*)> make;
};

// All have rank 0 as root, where they have one.
const std::vector<OtherCall>& blocking_calls();
const std::vector<OtherCall>& nonblocking_calls();

}  // namespace others
