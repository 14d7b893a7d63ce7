// Where the cells of a mesh go in a picture, and the parts that large and small pictures share.
#pragma once

#include "detour/routing/topology.hpp"
#include "svg_writer.hpp"

namespace detour::render {

struct SvgGrid {
  Mesh mesh;
  Point corner;
  double pitch;

  double width() const { return pitch * mesh.cols(); }
  double height() const { return pitch * mesh.rows(); }
  Point centre(CellId id) const {
    const Cell cell = mesh.cell(id);
    return {corner.x + (cell.col + 0.5) * pitch, corner.y + (cell.row + 0.5) * pitch};
  }
};

// A rounded square in the middle of each live cell's place, its side a part of the pitch.
SvgPath live_squares(const SvgGrid& grid, const Topology& topology, double side);
// The same of failed cells.
SvgPath failed_squares(const SvgGrid& grid, const Topology& topology, double side);

// From cell to cell in a bow, so that it stays apart from links and cells between them.
void add_bow(SvgPath& path, const SvgGrid& grid, Hop hop);

}  // namespace detour::render
