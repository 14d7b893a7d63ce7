#include "svg_panel.hpp"

#include <algorithm>
#include <vector>

namespace detour::render {
namespace {

class PanelPainter {
 public:
  PanelPainter(SvgWriter& svg, const SvgGrid& grid, const Topology& topology, const Plan& plan,
               const FlowColours& colours, const LinkStrands& strands)
      : svg_(svg),
        grid_(grid),
        topology_(topology),
        plan_(plan),
        colours_(colours),
        strands_(strands),
        load_max_(std::max<std::uint64_t>(strands.load_max(), 1)) {}

  void draw() {
    draw_numbers();
    draw_idle_links();
    draw_direct_hops();
    draw_bundles();
    svg_.path(failed_squares(grid_, topology_, look::cell_side), look::hole);
    const double outline = std::min(1.2, 0.03 * grid_.pitch);
    svg_.path(live_squares(grid_, topology_, look::cell_side),
              std::string(look::cell) + " stroke-width=\"" + svg_number(outline) + "\"");
    draw_bridges();
    draw_roots();
  }

 private:
  double width_of(std::uint64_t load) const {
    return look::bundle_width_max * grid_.pitch * static_cast<double>(load) /
           static_cast<double>(load_max_);
  }

  template <class Visit>
  void for_each_live_link(Visit visit) const {
    for (const CellId cell : topology_.live_cells()) {
      for (const CellId neighbour : grid_.mesh.neighbours(cell)) {
        if (neighbour > cell && topology_.live(neighbour)) visit(cell, neighbour);
      }
    }
  }

  void draw_numbers() {
    const std::int32_t longest = std::max(grid_.mesh.rows(), grid_.mesh.cols());
    const std::int32_t step = longest <= 20 ? 1 : longest <= 64 ? 4 : 16;
    const TextLook number{.size = 11, .fill = "#9aa5b1", .anchor = "middle"};
    for (std::int32_t col = 0; col < grid_.mesh.cols(); col += step) {
      svg_.text({grid_.corner.x + (col + 0.5) * grid_.pitch, grid_.corner.y - 6},
                std::to_string(col), number);
    }
    for (std::int32_t row = 0; row < grid_.mesh.rows(); row += step) {
      svg_.text({grid_.corner.x - 12, grid_.corner.y + (row + 0.5) * grid_.pitch + 4},
                std::to_string(row), number);
    }
  }

  void draw_idle_links() {
    SvgPath path;
    for_each_live_link([&](CellId a, CellId b) {
      if (strands_.load(a, b) == 0) path.move_to(grid_.centre(a)).line_to(grid_.centre(b));
    });
    svg_.path(path, look::idle_link);
  }

  void draw_bundles() {
    std::vector<SvgPath> paths(colours_.count());
    for_each_live_link([&](CellId a, CellId b) { add_bundle(paths, a, b); });
    for (std::size_t colour = 0; colour < paths.size(); ++colour) {
      svg_.path(paths[colour], "fill=\"" + std::string(colours_.colour(colour)) + "\"");
    }
  }

  void add_bundle(std::vector<SvgPath>& paths, CellId a, CellId b) const {
    // Under the next strand, which is painted later: no light shows between the two.
    constexpr double overlap = 0.25;
    const Point from = grid_.centre(a);
    const Point to = grid_.centre(b);
    const double total = width_of(strands_.load(a, b));
    double offset = -total / 2;
    for (std::size_t colour = 0; colour < paths.size(); ++colour) {
      const double width = width_of(strands_.load(a, b, colour));
      if (width <= 0) continue;
      const double painted = std::min(width + overlap, total / 2 - offset);
      if (from.y == to.y) {
        paths[colour].rectangle({from.x, from.y + offset}, to.x - from.x, painted);
      } else {
        paths[colour].rectangle({from.x + offset, from.y}, painted, to.y - from.y);
      }
      offset += width;
    }
  }

  void draw_direct_hops() {
    if (topology_.connectivity() != Connectivity::complete) return;
    if (strands_.other_loads().size() > drawn_direct_hop_count_max) return;
    SvgPath path;
    for (const auto& [hop, load] : strands_.other_loads()) add_bow(path, grid_, hop);
    svg_.path(path, look::direct_hop);
  }

  void draw_bridges() {
    for (const Hop& bridge : plan_.bridges) {
      const auto found = strands_.other_loads().find(
          {std::min(bridge.from, bridge.to), std::max(bridge.from, bridge.to)});
      const auto load = found == strands_.other_loads().end() ? 0 : found->second;
      SvgPath path;
      add_bow(path, grid_, bridge);
      const double width = std::clamp(width_of(load) / 4, 1.5, 5.0);
      svg_.path(path, std::string(look::bridge) + " stroke-width=\"" + svg_number(width) + "\"");
    }
  }

  // A disc per root cell, cut by the shares of the colours that end there.
  void draw_roots() {
    std::map<CellId, std::vector<std::uint64_t>> shares_by_root;
    std::size_t index = 0;
    const auto note = [&](CellId root, Share share) {
      auto& shares = shares_by_root[root];
      shares.resize(colours_.count());
      shares[colours_.group_of(index++)] += share;
    };
    for (const Flow& flow : plan_.flows) note(flow.root, flow.share);
    for (const Cycle& cycle : plan_.cycles) {
      for (std::size_t at = 0; at < cycle.order.size(); ++at)
        note(cycle.order[at], cycle.shares[at]);
    }
    std::vector<SvgPath> slices(colours_.count());
    for (const auto& [root, shares] : shares_by_root) add_disc(slices, root, shares);
    for (std::size_t colour = 0; colour < slices.size(); ++colour) {
      svg_.path(slices[colour], "fill=\"" + std::string(colours_.colour(colour)) + "\"");
    }
  }

  void add_disc(std::vector<SvgPath>& slices, CellId root,
                const std::vector<std::uint64_t>& shares) const {
    double total = 0;
    for (const std::uint64_t share : shares) total += static_cast<double>(share);
    double from = 0;
    for (std::size_t colour = 0; colour < shares.size(); ++colour) {
      if (shares[colour] == 0) continue;
      const double to = from + static_cast<double>(shares[colour]) / total;
      const double radius = look::root_radius * grid_.pitch;
      // An arc that ends where it starts is no arc: a full disc is two halves.
      for (const auto& [start, end] : {std::pair{from, (from + to) / 2}, {(from + to) / 2, to}}) {
        slices[colour].slice(grid_.centre(root), radius, start, end);
      }
      from = to;
    }
  }

  SvgWriter& svg_;
  const SvgGrid& grid_;
  const Topology& topology_;
  const Plan& plan_;
  const FlowColours& colours_;
  const LinkStrands& strands_;
  std::uint64_t load_max_;
};

}  // namespace

void draw_panel(SvgWriter& svg, const SvgGrid& grid, const Topology& topology, const Plan& plan,
                const FlowColours& colours, const LinkStrands& strands) {
  PanelPainter(svg, grid, topology, plan, colours, strands).draw();
}

}  // namespace detour::render
