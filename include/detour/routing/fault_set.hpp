// Which cells of a mesh have failed.
#pragma once

#include <vector>

#include "detour/routing/api.hpp"
#include "detour/routing/mesh.hpp"

namespace detour {

class DETOUR_API FaultSet {
 public:
  // No cell has failed.
  explicit FaultSet(const Mesh& mesh);

  // Failing a cell twice is the same as once. Throws std::out_of_range for a cell that isn't there.
  void fail(CellId cell);

  bool failed(CellId cell) const { return failed_[static_cast<std::size_t>(cell)]; }
  std::int32_t count() const { return count_; }
  std::size_t cell_count() const { return failed_.size(); }

  bool operator==(const FaultSet&) const = default;

 private:
  std::vector<bool> failed_;
  std::int32_t count_ = 0;
};

}  // namespace detour
