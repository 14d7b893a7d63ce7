#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "detour/routing/render.hpp"
#include "text_pictures.hpp"

namespace detour {
namespace {

using namespace render;

constexpr std::int32_t page_width = 100;
constexpr std::int32_t gap_width = 2;

// How the pictures fit the page.
struct Layout {
  TextGrid grid;
  bool side_by_side;
};

std::int32_t length(const std::string& text) {
  return static_cast<std::int32_t>(text.size());
}

Layout choose_layout(const Mesh& mesh, const std::string& load_title,
                     const std::string& route_title) {
  TextGrid grid{.rows = mesh.rows(), .cols = mesh.cols()};
  for (const std::int32_t pitch : {4, 3}) {
    grid.pitch_x = pitch;
    const auto both = std::max(grid.width(), length(load_title)) + gap_width +
                      std::max(grid.width(), length(route_title));
    if (both <= page_width) return {grid, true};
  }
  for (const std::int32_t pitch : {3, 2}) {
    grid.pitch_x = pitch;
    if (grid.width() <= page_width) return {grid, false};
  }
  grid.pitch_x = 1;
  grid.pitch_y = 1;
  while (grid.width() > page_width) ++grid.zoom;
  return {grid, false};
}

TextCanvas titled(const std::string& title, const TextCanvas& picture) {
  TextCanvas canvas(std::max(picture.width(), length(title)), picture.height() + 1);
  canvas.write(0, 0, title, Ink::plain);
  canvas.paste(0, 1, picture);
  return canvas;
}

TextCanvas beside(const TextCanvas& left, const TextCanvas& right) {
  TextCanvas canvas(left.width() + gap_width + right.width(),
                    std::max(left.height(), right.height()));
  canvas.paste(0, 0, left);
  canvas.paste(left.width() + gap_width, 0, right);
  return canvas;
}

std::string fixed(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", number);
  return text;
}

// Where there is no gap between cells, a route would be a solid block.
bool has_room_for_route(const TextGrid& grid) {
  return grid.pitch_x > 1;
}

std::string cell_legend(const Topology& topology, const Plan& plan, const TextGrid& grid,
                        const Glyphs& glyphs) {
  std::string text;
  const auto add = [&](std::string_view sign, const char* meaning) {
    text += std::string(sign) + " " + meaning + "   ";
  };
  if (grid.zoom > 1) {
    text += "each character: " + std::to_string(std::min(grid.zoom, grid.rows)) + "x" +
            std::to_string(std::min(grid.zoom, grid.cols)) + " cells   ";
  }
  if (grid.pitch_x > 1) {
    if (flow_count(plan) > 0) add(glyphs.root, "root");
    add(glyphs.cell, "cell");
  }
  if (topology.faults().count() > 0) add(glyphs.hole, "failed");
  if (has_room_for_route(grid) && !plan.bridges.empty()) {
    add(glyphs.bridge_end, "end of a bridge");
  }
  text.resize(text.find_last_not_of(' ') + 1);
  return text.empty() ? text : text + "\n";
}

std::string route_legend(const DisplayedRoute& route, const TextGrid& grid) {
  if (route.hops.empty()) return {};
  if (!has_room_for_route(grid)) {
    return "not drawn: the route of a flow, for which an SVG picture has room (--svg)\n";
  }
  const std::string name = route.root == no_cell ? "ring" : "flow";
  return name + ": lines pass through cells on their way; " + route.meaning + "\n";
}

std::string load_legend(const TextGrid& grid, const LoadLevels& levels, const Glyphs& glyphs) {
  std::string text = "links:";
  for (std::size_t level = 1; level <= LoadLevels::level_count; ++level) {
    const bool dense = grid.pitch_x == 1;
    text += "  " + std::string(dense ? glyphs.shades[level] : glyphs.horizontal[level]);
    if (!dense) text += " " + std::string(glyphs.vertical[level]);
    text += " up to " + fixed(levels.level_max(level));
  }
  return text + " of the payload, in the busier direction\n";
}

// "bridges: (0,0)-(3,3), ...", broken into lines that fit the page.
std::string describe_bridges(const Topology& topology, const Plan& plan) {
  constexpr std::size_t listed_max = 12;
  if (plan.bridges.empty()) return {};
  std::string text;
  std::string line = "bridges, hops beyond the mesh:";
  const auto add = [&](const std::string& word) {
    if (length(line) + 1 + length(word) > page_width) {
      text += line + "\n";
      line = " ";
    }
    line += " " + word;
  };
  for (std::size_t at = 0; at < std::min(listed_max, plan.bridges.size()); ++at) {
    const Hop& bridge = plan.bridges[at];
    add(to_string(topology.mesh().cell(bridge.from)) + "-" +
        to_string(topology.mesh().cell(bridge.to)));
  }
  if (plan.bridges.size() > listed_max) {
    add("and " + std::to_string(plan.bridges.size() - listed_max) + " more");
  }
  return text + line + "\n";
}

// Where all cells reach each other, most hops are neither mesh links nor bridges.
std::string describe_direct_hops(const Topology& topology, const LoadLevels& levels) {
  if (topology.connectivity() != Connectivity::complete) return {};
  std::uint64_t count = 0;
  levels.loads().for_each([&](Hop hop, std::uint64_t) {
    if (!topology.mesh().adjacent(hop.from, hop.to)) ++count;
  });
  if (count == 0) return {};
  return "not drawn: " + std::to_string(count) +
         " direct hops between cells that are not neighbours\n";
}

std::string pictures(const Topology& topology, const Plan& plan, const LoadLevels& levels,
                     const Layout& layout, const std::string& load_title,
                     const DisplayedRoute& route, TextStyle style) {
  const Glyphs& glyphs = style.unicode ? unicode_glyphs : ascii_glyphs;
  const auto loads = titled(load_title, load_picture(topology, plan, levels, layout.grid, glyphs));
  if (route.hops.empty() || !has_room_for_route(layout.grid)) return loads.str(style.colour);
  const auto one = titled(route.title, route_picture(topology, plan, route, layout.grid, glyphs));
  if (layout.side_by_side) return beside(loads, one).str(style.colour);
  return loads.str(style.colour) + "\n" + one.str(style.colour);
}

}  // namespace

std::string render_text(const Topology& topology, const Plan& plan, TextStyle style) {
  const Glyphs& glyphs = style.unicode ? unicode_glyphs : ascii_glyphs;
  const LoadLevels levels(topology, plan);
  const DisplayedRoute route = displayed_route(plan);
  const std::string load_title = "what the links carry";
  const Layout layout = choose_layout(topology.mesh(), load_title, route.title);

  std::string text = pictures(topology, plan, levels, layout, load_title, route, style);
  text += "\n" + cell_legend(topology, plan, layout.grid, glyphs);
  if (plan.total_share > 0) text += load_legend(layout.grid, levels, glyphs);
  text += route_legend(route, layout.grid);
  return text + describe_direct_hops(topology, levels) + describe_bridges(topology, plan);
}

}  // namespace detour
