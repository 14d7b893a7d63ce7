#include "text_pictures.hpp"

#include <algorithm>
#include <vector>

namespace detour::render {
namespace {

// Draws links and cells of a mesh on a grid.
class MeshPainter {
 public:
  MeshPainter(const Topology& topology, const TextGrid& grid)
      : topology_(topology), grid_(grid), canvas_(grid.canvas()) {}

  void cell(CellId id, std::string_view glyph, Ink ink) {
    const Cell cell = topology_.mesh().cell(id);
    canvas_.put(grid_.x(cell.col), grid_.y(cell.row), glyph, ink);
  }

  void holes(std::string_view glyph) {
    for (CellId id = 0; id < topology_.mesh().cell_count(); ++id) {
      if (!topology_.live(id)) cell(id, glyph, Ink::hole);
    }
  }

  // Fills the gap between two neighbours.
  void link(CellId a, CellId b, std::string_view horizontal, std::string_view vertical, Ink ink) {
    const Cell from = topology_.mesh().cell(std::min(a, b));
    const Cell to = topology_.mesh().cell(std::max(a, b));
    for (auto x = grid_.x(from.col) + 1; x < grid_.x(to.col); ++x) {
      canvas_.put(x, grid_.y(from.row), horizontal, ink);
    }
    for (auto y = grid_.y(from.row) + 1; y < grid_.y(to.row); ++y) {
      canvas_.put(grid_.x(from.col), y, vertical, ink);
    }
  }

  TextCanvas take() { return std::move(canvas_); }

 private:
  const Topology& topology_;
  TextGrid grid_;
  TextCanvas canvas_;
};

std::vector<bool> root_cells(const Topology& topology, const Plan& plan) {
  std::vector<bool> roots(static_cast<std::size_t>(topology.mesh().cell_count()));
  for (const Flow& flow : plan.flows) roots[static_cast<std::size_t>(flow.root)] = true;
  for (const Cycle& cycle : plan.cycles) {
    for (const CellId cell : cycle.order) roots[static_cast<std::size_t>(cell)] = true;
  }
  return roots;
}

TextCanvas spaced_load_picture(const Topology& topology, const Plan& plan, const LoadLevels& levels,
                               const TextGrid& grid, const Glyphs& glyphs) {
  MeshPainter painter(topology, grid);
  painter.holes(glyphs.hole);
  const auto roots = root_cells(topology, plan);
  for (const CellId cell : topology.live_cells()) {
    const bool is_root = roots[static_cast<std::size_t>(cell)];
    painter.cell(cell, is_root ? glyphs.root : glyphs.cell, is_root ? Ink::root : Ink::plain);
    for (const CellId neighbour : topology.mesh().neighbours(cell)) {
      if (neighbour < cell || !topology.live(neighbour)) continue;
      const std::size_t level = levels.level(cell, neighbour);
      painter.link(cell, neighbour, glyphs.horizontal[level], glyphs.vertical[level],
                   ink_of_level(level));
    }
  }
  return painter.take();
}

// Without room for links a character is as dark as the busiest link of the cells it stands for; a
// hole among them is what matters most.
TextCanvas dense_load_picture(const Topology& topology, const LoadLevels& levels,
                              const TextGrid& grid, const Glyphs& glyphs) {
  const Mesh& mesh = topology.mesh();
  const auto block_count =
      static_cast<std::size_t>(grid.shown_rows()) * static_cast<std::size_t>(grid.shown_cols());
  std::vector<std::size_t> level(block_count);
  std::vector<bool> has_hole(block_count);
  for (CellId id = 0; id < mesh.cell_count(); ++id) {
    const Cell cell = mesh.cell(id);
    const auto block =
        static_cast<std::size_t>(cell.row / grid.zoom * grid.shown_cols() + cell.col / grid.zoom);
    level[block] = std::max(level[block], levels.level_of(id));
    if (!topology.live(id)) has_hole[block] = true;
  }
  TextCanvas canvas = grid.canvas();
  for (std::int32_t row = 0; row < grid.shown_rows(); ++row) {
    for (std::int32_t col = 0; col < grid.shown_cols(); ++col) {
      const auto block = static_cast<std::size_t>(row * grid.shown_cols() + col);
      canvas.put(grid.x(col), grid.y(row),
                 has_hole[block] ? glyphs.hole : glyphs.shades[level[block]],
                 has_hole[block] ? Ink::hole : ink_of_level(level[block]));
    }
  }
  return canvas;
}

Side side_towards(const Mesh& mesh, CellId from, CellId to) {
  const Cell a = mesh.cell(from);
  const Cell b = mesh.cell(to);
  if (a.row != b.row) return b.row < a.row ? side_up : side_down;
  return b.col < a.col ? side_left : side_right;
}

}  // namespace

TextCanvas load_picture(const Topology& topology, const Plan& plan, const LoadLevels& levels,
                        const TextGrid& grid, const Glyphs& glyphs) {
  if (grid.pitch_x > 1) return spaced_load_picture(topology, plan, levels, grid, glyphs);
  return dense_load_picture(topology, levels, grid, glyphs);
}

TextCanvas route_picture(const Topology& topology, const Plan& plan, const DisplayedRoute& route,
                         const TextGrid& grid, const Glyphs& glyphs) {
  constexpr std::size_t line_level = 2;
  const Mesh& mesh = topology.mesh();
  MeshPainter painter(topology, grid);
  painter.holes(glyphs.hole);
  std::vector<std::uint8_t> sides(static_cast<std::size_t>(mesh.cell_count()));
  for (const Hop& hop : route.hops) {
    if (!mesh.adjacent(hop.from, hop.to)) continue;
    sides[static_cast<std::size_t>(hop.from)] |= side_towards(mesh, hop.from, hop.to);
    sides[static_cast<std::size_t>(hop.to)] |= side_towards(mesh, hop.to, hop.from);
    painter.link(hop.from, hop.to, glyphs.horizontal[line_level], glyphs.vertical[line_level],
                 Ink::plain);
  }
  for (const CellId cell : topology.live_cells()) {
    painter.cell(cell, glyphs.joints[sides[static_cast<std::size_t>(cell)]], Ink::plain);
  }
  for (const Hop& bridge : plan.bridges) {
    painter.cell(bridge.from, glyphs.bridge_end, Ink::plain);
    painter.cell(bridge.to, glyphs.bridge_end, Ink::plain);
  }
  if (route.root != no_cell) painter.cell(route.root, glyphs.root, Ink::root);
  return painter.take();
}

}  // namespace detour::render
