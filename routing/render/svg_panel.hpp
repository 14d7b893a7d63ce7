// The large picture: every link as a bundle of strands, one per colour, as wide as its load.
#pragma once

#include "flow_colours.hpp"
#include "link_strands.hpp"
#include "svg_grid.hpp"

namespace detour::render {

// The looks that the legend repeats.
namespace look {
inline constexpr double cell_side = 0.46;         // parts of the pitch; failed cells too
inline constexpr double bundle_width_max = 0.38;  // of the busiest link
inline constexpr double root_radius = 0.15;
inline constexpr std::string_view hatch_definition =
    "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#eceff2\"/>"
    "<rect width=\"2\" height=\"6\" fill=\"#c3cad2\"/></pattern></defs>\n";
inline constexpr std::string_view hole =
    "fill=\"url(#hatch)\" stroke=\"#7b8794\" stroke-width=\"1\" stroke-dasharray=\"3 2\" "
    "stroke-linejoin=\"round\"";
inline constexpr std::string_view cell = "fill=\"#fff\" stroke=\"#52606d\"";
inline constexpr std::string_view idle_link = "fill=\"none\" stroke=\"#d9dee4\" stroke-width=\"1\"";
inline constexpr std::string_view bridge =
    "fill=\"none\" stroke=\"#1f2933\" stroke-linecap=\"round\" stroke-dasharray=\"7 5\"";
inline constexpr std::string_view direct_hop =
    "fill=\"none\" stroke=\"#7b8794\" stroke-opacity=\"0.45\" stroke-width=\"0.8\"";
}  // namespace look

// Above this many, hops between cells that are not neighbours would be a grey cloud.
inline constexpr std::size_t drawn_direct_hop_count_max = 2500;

void draw_panel(SvgWriter& svg, const SvgGrid& grid, const Topology& topology, const Plan& plan,
                const FlowColours& colours, const LinkStrands& strands);

}  // namespace detour::render
