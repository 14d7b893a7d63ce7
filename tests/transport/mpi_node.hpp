// Ranks of an MPI job that share memory in groups, as those of a node do.
#pragma once

#include <mpi.h>

#include <mutex>
#include <optional>
#include <vector>

#include "transport/shm_links.hpp"

namespace detour::test {

// A heap per rank, opened by those of the same group. Collective.
class MpiNode {
 public:
  MpiNode(MPI_Comm comm, Rank ranks_per_node, std::size_t heap_bytes);

  bool is_near(Rank peer) const { return peer / ranks_per_node_ == rank_ / ranks_per_node_; }
  ShmLinks& links() { return *links_; }

 private:
  Rank ranks_per_node_;
  int rank_ = 0;
  SharedHeap own_heap_;
  HeapArena arena_;
  std::mutex mutex_;
  std::vector<SharedHeap> peer_heaps_;
  std::optional<ShmLinks> links_;
};

}  // namespace detour::test
