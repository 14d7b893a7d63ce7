// Lets the ranks of a node start together, as nearly as can be done.
//
// MPI's own barrier takes several messages one after the other. With more ranks than cores each of them waits for its rank
// to be given a core, so that the first rank leaves it long before the last: then what is timed next is mostly waiting for
// the last one. Here one rank releases all others, which are at most one turn of the cores apart.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "bench/node_window.hpp"

namespace detour::tool {

class NodeBarrier {
 public:
  // Collective, as what follows. All ranks have to be on one node. Nothing, on any rank, if one of them gets no shared
  // memory from MPI.
  static std::unique_ptr<NodeBarrier> make(MPI_Comm comm);

  // For all ranks, however long that takes: as with MPI's own, none may be missing.
  void wait();

 private:
  NodeBarrier(MPI_Comm comm, std::unique_ptr<NodeWindow> window);

  MPI_Comm comm_;
  std::unique_ptr<NodeWindow> window_;
  std::uint64_t* arrival_count_;  // of all ranks, over all times
  std::uint64_t awaited_count_ = 0;
  unsigned spin_count_ = 0;
};

}  // namespace detour::tool
