#include "svg_small_multiples.hpp"

#include <algorithm>

#include "displayed_route.hpp"

namespace detour::render {
namespace {

constexpr std::size_t picture_count_max = 6;
constexpr double picture_side_max = 145;
constexpr double pitch_max = 26;
constexpr double dot_pitch_min = 3;
constexpr double dot_side = 0.34;      // of a cell, in parts of the pitch
constexpr double caption_width = 130;  // "flow 1024, 0.10 %" in its size
constexpr double gap = 24;
constexpr double heading_height = 34;
constexpr double caption_height = 40;

SvgPath lines(const SvgGrid& grid, const std::vector<Hop>& hops) {
  SvgPath path;
  for (const Hop& hop : hops) {
    if (grid.mesh.adjacent(hop.from, hop.to)) {
      path.move_to(grid.centre(hop.from)).line_to(grid.centre(hop.to));
    } else {
      add_bow(path, grid, hop);
    }
  }
  return path;
}

std::string stroke(std::string_view colour, double width, double opacity) {
  return "fill=\"none\" stroke=\"" + std::string(colour) + "\" stroke-width=\"" +
         svg_number(width) + "\" stroke-linecap=\"round\" stroke-opacity=\"" + svg_number(opacity) +
         "\"";
}

}  // namespace

SmallMultiples::SmallMultiples(const Topology& topology, const Plan& plan,
                               const FlowColours& colours, double row_width)
    : topology_(topology), plan_(plan), colours_(colours) {
  const Mesh& mesh = topology.mesh();
  pitch_ = std::min(pitch_max, picture_side_max / std::max(mesh.rows(), mesh.cols()));
  step_ = std::max(pitch_ * mesh.cols(), caption_width) + gap;
  const auto fitting = static_cast<std::size_t>(std::max(1.0, (row_width + gap) / step_));
  // A single flow is what the large picture shows.
  count_ =
      colours.flow_count() > 1 ? std::min({picture_count_max, fitting, colours.flow_count()}) : 0;
}

double SmallMultiples::height() const {
  if (count_ == 0) return 0;
  return heading_height + pitch_ * topology_.mesh().rows() + caption_height;
}

void SmallMultiples::draw(SvgWriter& svg, Point corner) const {
  if (count_ == 0) return;
  const bool all = count_ == colours_.flow_count();
  svg.text({corner.x, corner.y + 14}, all ? "The flows one by one" : "Some of the flows one by one",
           {.size = 14, .fill = "#1f2933", .anchor = "start", .bold = true});
  for (std::size_t at = 0; at < count_; ++at) {
    draw_one(svg, {corner.x + static_cast<double>(at) * step_, corner.y + heading_height},
             at * colours_.flow_count() / count_);
  }
}

void SmallMultiples::draw_one(SvgWriter& svg, Point corner, std::size_t index) const {
  const SvgGrid grid{topology_.mesh(), corner, pitch_};
  const Flow flow = flow_at(plan_, index);
  const std::string_view colour = colours_.colour(colours_.group_of(index));
  const double line_width = std::clamp(pitch_ * 0.22, 0.8, 4.0);

  if (pitch_ >= dot_pitch_min) {
    svg.path(failed_squares(grid, topology_, dot_side),
             "fill=\"#fff\" stroke=\"#9aa5b1\" stroke-width=\"0.8\"");
    svg.path(live_squares(grid, topology_, dot_side), "fill=\"#b6c0ca\"");
  } else {
    // Dots of all cells would only grey the picture.
    svg.path(failed_squares(grid, topology_, 0.7), "fill=\"#d3d9df\"");
  }
  // Where the sum goes back another way, that way is the paler one.
  if (!returns_same_way(flow)) {
    svg.path(lines(grid, flow.broadcast), stroke(colour, line_width, 0.35));
  }
  svg.path(lines(grid, flow.reduce), stroke(colour, line_width, 1));
  svg.circle(grid.centre(flow.root), std::max(3.0, pitch_ * 0.3),
             "fill=\"#1f2933\" stroke=\"#fff\" stroke-width=\"1.2\"");

  const double below = corner.y + grid.height();
  svg.text({corner.x, below + 18},
           "flow " + std::to_string(index + 1) + ", " + percentage(flow.share, plan_.total_share),
           {.size = 12, .fill = "#52606d"});
  svg.text({corner.x, below + 34}, "root " + to_string(topology_.mesh().cell(flow.root)),
           {.size = 12, .fill = "#7b8794"});
}

}  // namespace detour::render
