// Memory that all ranks of a node share, a part of it for each.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace detour::tool {

class NodeWindow {
 public:
  // Collective, as its end is. All ranks have to be on one node. Parts may differ in size. Nothing, on any rank, if one of
  // them gets no memory from MPI.
  static std::unique_ptr<NodeWindow> make(MPI_Comm comm, std::size_t own_bytes);
  ~NodeWindow();
  NodeWindow(const NodeWindow&) = delete;
  NodeWindow& operator=(const NodeWindow&) = delete;

  // Zeros, at first. Of a rank that has nothing there is none.
  std::byte* part(std::size_t rank) const { return parts_[rank]; }
  std::size_t rank() const { return rank_; }
  std::size_t rank_count() const { return parts_.size(); }

 private:
  NodeWindow(MPI_Comm comm, std::size_t own_bytes);

  MPI_Win window_ = MPI_WIN_NULL;
  std::size_t rank_ = 0;
  std::vector<std::byte*> parts_;
};

}  // namespace detour::tool
