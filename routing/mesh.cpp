#include "detour/routing/mesh.hpp"

#include <cstdlib>
#include <stdexcept>

namespace detour {

std::string to_string(Cell cell) {
  return "(" + std::to_string(cell.row) + "," + std::to_string(cell.col) + ")";
}

Mesh::Mesh(std::int32_t rows, std::int32_t cols) : rows_(rows), cols_(cols) {
  if (rows < 1 || cols < 1 || rows > side_max || cols > side_max) {
    throw std::invalid_argument("a mesh of " + std::to_string(rows) + "x" + std::to_string(cols) +
                                " is not possible: each side has 1 to " + std::to_string(side_max) +
                                " cells");
  }
}

Neighbours Mesh::neighbours(CellId id) const {
  Neighbours result;
  const Cell at = cell(id);
  if (at.row > 0) result.push_back(id - cols_);
  if (at.col > 0) result.push_back(id - 1);
  if (at.col + 1 < cols_) result.push_back(id + 1);
  if (at.row + 1 < rows_) result.push_back(id + cols_);
  return result;
}

std::int32_t Mesh::distance(CellId from, CellId to) const {
  const Cell a = cell(from);
  const Cell b = cell(to);
  return std::abs(a.row - b.row) + std::abs(a.col - b.col);
}

}  // namespace detour
