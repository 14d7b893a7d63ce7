// The logical R x C mesh: cells, their numbers, and who is next to whom.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

#include "detour/routing/api.hpp"

namespace detour {

// A cell's number: row * cols + col.
using CellId = std::int32_t;
inline constexpr CellId no_cell = -1;

struct Cell {
  std::int32_t row = 0;
  std::int32_t col = 0;
  auto operator<=>(const Cell&) const = default;
};

// "(row,col)", as messages to people write a cell.
DETOUR_API std::string to_string(Cell cell);

// Up to four cells, in the fixed order up, left, right, down.
class Neighbours {
 public:
  void push_back(CellId cell) { cells_[count_++] = cell; }
  const CellId* begin() const { return cells_.data(); }
  const CellId* end() const { return cells_.data() + count_; }
  std::size_t size() const { return count_; }

 private:
  std::array<CellId, 4> cells_{};
  std::size_t count_ = 0;
};

class DETOUR_API Mesh {
 public:
  // Plans hold some hundred trees over all cells: this is where their memory ends to be reasonable.
  static constexpr std::int32_t cell_count_max = 16384;

  // Throws std::invalid_argument if a side is less than 1, or there are too many cells.
  Mesh(std::int32_t rows, std::int32_t cols);

  std::int32_t rows() const { return rows_; }
  std::int32_t cols() const { return cols_; }
  std::int32_t cell_count() const { return rows_ * cols_; }

  bool contains(Cell cell) const {
    return cell.row >= 0 && cell.row < rows_ && cell.col >= 0 && cell.col < cols_;
  }
  bool contains(CellId cell) const { return cell >= 0 && cell < cell_count(); }
  CellId id(Cell cell) const { return cell.row * cols_ + cell.col; }
  Cell cell(CellId id) const { return {id / cols_, id % cols_}; }

  // All mesh neighbours, dead or alive.
  Neighbours neighbours(CellId cell) const;
  // The number of links on a shortest way from one cell to the other across an intact mesh.
  std::int32_t distance(CellId from, CellId to) const;
  // Without a division in the common case: the checker asks this of every hop of every flow.
  bool adjacent(CellId a, CellId b) const {
    // Wide, because the checker asks about cells that a policy made up.
    const std::int64_t gap = a < b ? std::int64_t{b} - a : std::int64_t{a} - b;
    return gap == cols_ || (gap == 1 && (a < b ? b : a) % cols_ != 0);
  }

  bool operator==(const Mesh&) const = default;

 private:
  std::int32_t rows_;
  std::int32_t cols_;
};

}  // namespace detour
