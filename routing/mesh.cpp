#include "detour/routing/mesh.hpp"

#include <cstdlib>
#include <stdexcept>

namespace detour {

std::string to_string(Cell cell) {
  return "(" + std::to_string(cell.row) + "," + std::to_string(cell.col) + ")";
}

Mesh::Mesh(std::int32_t rows, std::int32_t cols) : rows_(rows), cols_(cols) {
  const std::string name = std::to_string(rows) + "x" + std::to_string(cols);
  if (rows < 1 || cols < 1) {
    throw std::invalid_argument("a mesh of " + name + " has no cells");
  }
  if (std::int64_t{rows} * cols > cell_count_max) {
    throw std::invalid_argument("a mesh of " + name + " has too many cells: at most " +
                                std::to_string(cell_count_max) + " are possible");
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
