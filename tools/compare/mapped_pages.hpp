// Memory for buffers that the ranks of a node can read each other's of, whatever library is measured.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "bench/bench_buffers.hpp"
#include "bench/node_window.hpp"

namespace detour::tool {

class MappedPages {
 public:
  explicit MappedPages(MPI_Comm comm) : comm_(comm) {}
  MappedPages(const MappedPages&) = delete;
  MappedPages& operator=(const MappedPages&) = delete;

  // Collective, as giving it back is: all ranks ask for as many bytes. Throws std::bad_alloc, on all ranks, if one of them
  // gets none. No rank has to map any of it later.
  PageMemory allocate(std::size_t bytes);

  // What another rank has where this one has `own`, which lies in what was allocated here.
  const std::byte* of_rank(std::size_t rank, const std::byte* own) const;

 private:
  void give_back(const std::byte* begin);

  MPI_Comm comm_;
  std::vector<std::unique_ptr<NodeWindow>> windows_;
};

}  // namespace detour::tool
