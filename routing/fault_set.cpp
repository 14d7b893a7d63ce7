#include "detour/routing/fault_set.hpp"

#include <stdexcept>

namespace detour {

FaultSet::FaultSet(const Mesh& mesh) : failed_(static_cast<std::size_t>(mesh.cell_count())) {}

void FaultSet::fail(CellId cell) {
  if (cell < 0 || static_cast<std::size_t>(cell) >= failed_.size()) {
    throw std::out_of_range("cell " + std::to_string(cell) + " is not on the mesh");
  }
  if (failed(cell)) return;
  failed_[static_cast<std::size_t>(cell)] = true;
  ++count_;
}

}  // namespace detour
