#include "placement/mesh_choice.hpp"

#include <stdexcept>
#include <tuple>

namespace detour {
namespace {

constexpr std::int32_t aspect_max = 4;

struct Shape {
  std::int32_t rows;
  std::int32_t cols;
  std::int32_t hole_count;

  bool is_acceptable() const {
    return rows <= cols && cols <= aspect_max * rows && rows * cols <= Mesh::cell_count_max;
  }

  // See rule 2. All holes are next to each other at an end of the last row, so each takes one link
  // along the row and one across with it.
  std::int32_t useful_link_count() const {
    const std::int32_t live_count = rows * cols - hole_count;
    const bool has_lone_cell = hole_count > 0 && cols - hole_count == 1;
    if (has_lone_cell) return live_count - 1;
    return rows * (cols - 1) + (rows - 1) * cols - 2 * hole_count;
  }

  // The greater, the better.
  auto merit() const {
    return std::tuple(hole_count == 0, hole_count == 0 ? 0 : useful_link_count(), -hole_count,
                      rows);
  }
};

}  // namespace

Mesh choose_mesh(std::int32_t cell_count) {
  if (cell_count < 1 || cell_count > Mesh::cell_count_max) {
    throw std::invalid_argument("no mesh has " + std::to_string(cell_count) + " cells");
  }
  Shape best{1, cell_count, 0};
  for (std::int32_t rows = 1; (rows - 1) * (rows - 1) < cell_count; ++rows) {
    // No fewer columns will do, and with more a whole column would be holes.
    const std::int32_t cols = (cell_count + rows - 1) / rows;
    const Shape shape{rows, cols, rows * cols - cell_count};
    if (!shape.is_acceptable()) continue;
    if (!best.is_acceptable() || shape.merit() > best.merit()) best = shape;
  }
  return Mesh(best.rows, best.cols);
}

}  // namespace detour
