// What the widths, colours and signs of the large picture mean.
#pragma once

#include "svg_panel.hpp"

namespace detour::render {

class SvgLegend {
 public:
  SvgLegend(const Topology& topology, const Plan& plan, const FlowColours& colours,
            const LinkStrands& strands, double pitch)
      : topology_(topology), plan_(plan), colours_(colours), strands_(strands), pitch_(pitch) {}

  static constexpr double width = 250;
  double height() const;
  void draw(SvgWriter& svg, Point corner) const;

 private:
  bool has_direct_hops() const;
  double sample_height(double part) const;
  std::size_t sign_count() const;
  Point draw_signs(SvgWriter& svg, Point at) const;
  Point draw_widths(SvgWriter& svg, Point at) const;
  void draw_colours(SvgWriter& svg, Point at) const;

  const Topology& topology_;
  const Plan& plan_;
  const FlowColours& colours_;
  const LinkStrands& strands_;
  double pitch_;  // of the picture that is explained: widths are the same in both
};

}  // namespace detour::render
