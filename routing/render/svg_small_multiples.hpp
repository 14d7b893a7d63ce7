// A row of small pictures, each the route of one flow.
#pragma once

#include "flow_colours.hpp"
#include "svg_grid.hpp"

namespace detour::render {

class SmallMultiples {
 public:
  // As many as fit into a row of this width.
  SmallMultiples(const Topology& topology, const Plan& plan, const FlowColours& colours,
                 double row_width);

  double height() const;
  void draw(SvgWriter& svg, Point corner) const;

 private:
  void draw_one(SvgWriter& svg, Point corner, std::size_t index) const;

  const Topology& topology_;
  const Plan& plan_;
  const FlowColours& colours_;
  double pitch_;
  double step_;  // from one picture to the next
  std::size_t count_;
};

}  // namespace detour::render
