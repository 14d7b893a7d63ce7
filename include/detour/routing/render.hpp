// Plans as pictures: for a terminal, and as SVG.
#pragma once

#include <string>

#include "detour/routing/api.hpp"
#include "detour/routing/plan.hpp"

namespace detour {

struct TextStyle {
  bool unicode = true;  // otherwise plain ASCII
  bool colour = false;  // ANSI escapes
};

// The mesh with its holes, every link drawn by how much of the payload crosses it, and below it the
// route of one flow. A 16x16 mesh fits 100 columns.
DETOUR_API std::string render_text(const Topology& topology, const Plan& plan, TextStyle style);

// A picture of its own: cells, holes, every flow's trees in its own colour, link loads as widths, a
// legend. `caption` is printed below the title.
DETOUR_API std::string render_svg(const Topology& topology, const Plan& plan,
                                  const std::string& caption);

}  // namespace detour
