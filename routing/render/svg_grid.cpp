#include "svg_grid.hpp"

#include <algorithm>

namespace detour::render {
namespace {

SvgPath squares(const SvgGrid& grid, const Topology& topology, double side, bool live) {
  constexpr std::int32_t rounded_count_max = 5000;  // beyond, corners cost more than they show
  SvgPath path;
  const double width = side * grid.pitch;
  for (CellId cell = 0; cell < grid.mesh.cell_count(); ++cell) {
    if (topology.live(cell) != live) continue;
    const Point centre = grid.centre(cell);
    const Point corner{centre.x - width / 2, centre.y - width / 2};
    if (grid.mesh.cell_count() <= rounded_count_max) {
      path.rounded_square(corner, width, width / 5);
    } else {
      path.rectangle(corner, width, width);
    }
  }
  return path;
}

}  // namespace

SvgPath live_squares(const SvgGrid& grid, const Topology& topology, double side) {
  return squares(grid, topology, side, true);
}

SvgPath failed_squares(const SvgGrid& grid, const Topology& topology, double side) {
  return squares(grid, topology, side, false);
}

void add_bow(SvgPath& path, const SvgGrid& grid, Hop hop) {
  constexpr double bend = 0.22;  // of the distance
  // The same bow for both directions.
  const Point from = grid.centre(std::min(hop.from, hop.to));
  const Point to = grid.centre(std::max(hop.from, hop.to));
  const Point middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
  const Point control{middle.x + 2 * bend * (to.y - from.y), middle.y - 2 * bend * (to.x - from.x)};
  path.move_to(from).curve_to(control, to);
}

}  // namespace detour::render
