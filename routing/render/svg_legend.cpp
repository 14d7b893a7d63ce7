#include "svg_legend.hpp"

#include <algorithm>
#include <cstdio>

#include "displayed_route.hpp"

namespace detour::render {
namespace {

constexpr double line_height = 24;
constexpr double heading_height = 28;
constexpr double section_gap = 14;
constexpr double sign_width = 44;  // signs stand left of it, words right
constexpr double width_note_height = 36;
constexpr double sample_parts[] = {1.0, 0.5};  // of the busiest link's load
constexpr double sign_pitch = 40;              // of the sample cells
constexpr TextLook heading_look{.size = 14, .fill = "#1f2933", .anchor = "start", .bold = true};
constexpr TextLook words_look{.size = 13, .fill = "#52606d"};

void heading(SvgWriter& svg, Point at, std::string_view text) {
  svg.text({at.x, at.y + 14}, text, heading_look);
}

void words(SvgWriter& svg, Point at, std::string_view text) {
  svg.text({at.x + sign_width, at.y + 4.5}, text, words_look);
}

Point middle_of_sign(Point at) {
  return {at.x + sign_width / 2 - 6, at.y};
}

void draw_square(SvgWriter& svg, Point at, std::string_view look) {
  const double side = look::cell_side * sign_pitch;
  const Point middle = middle_of_sign(at);
  SvgPath path;
  path.rounded_square({middle.x - side / 2, middle.y - side / 2}, side, side / 5);
  svg.path(path, look);
}

std::string payload_part(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f M", part);
  return text;
}

std::string flow_name(const FlowColours::Group& group) {
  const std::string first = std::to_string(group.first + 1);
  if (group.first == group.last) return "flow " + first;
  return "flows " + first + " to " + std::to_string(group.last + 1);
}

}  // namespace

bool SvgLegend::has_direct_hops() const {
  return topology_.connectivity() == Connectivity::complete && !strands_.other_loads().empty();
}

std::size_t SvgLegend::sign_count() const {
  std::size_t count = 1;
  if (topology_.faults().count() > 0) ++count;
  if (plan_.total_share > 0) ++count;
  if (!plan_.bridges.empty()) ++count;
  if (has_direct_hops()) ++count;
  return count;
}

double SvgLegend::sample_height(double part) const {
  return std::max(line_height, part * look::bundle_width_max * pitch_ + 6);
}

double SvgLegend::height() const {
  double height = heading_height + static_cast<double>(sign_count()) * line_height;
  if (plan_.total_share == 0) return height;
  height += section_gap + heading_height + width_note_height;
  for (const double part : sample_parts) height += sample_height(part);
  return height + section_gap + heading_height +
         static_cast<double>(colours_.count()) * line_height;
}

void SvgLegend::draw(SvgWriter& svg, Point corner) const {
  Point at = draw_signs(svg, corner);
  if (plan_.total_share == 0) return;
  at.y += section_gap;
  at = draw_widths(svg, at);
  at.y += section_gap;
  draw_colours(svg, at);
}

Point SvgLegend::draw_signs(SvgWriter& svg, Point at) const {
  heading(svg, at, "Cells");
  at.y += heading_height + line_height / 2;
  const auto next = [&] { at.y += line_height; };

  draw_square(svg, at, look::cell);
  words(svg, at, "live cell");
  next();
  if (topology_.faults().count() > 0) {
    draw_square(svg, at, look::hole);
    words(svg, at, "failed cell");
    next();
  }
  if (plan_.total_share > 0) {
    draw_square(svg, at, look::cell);
    svg.circle(middle_of_sign(at), look::root_radius * sign_pitch,
               "fill=\"" + std::string(colours_.colour(0)) + "\"");
    words(svg, at, "root of flows of this colour");
    next();
  }
  SvgPath bow;
  bow.move_to({at.x, at.y + 5}).curve_to({at.x + 16, at.y - 12}, {at.x + 32, at.y + 5});
  if (!plan_.bridges.empty()) {
    svg.path(bow, std::string(look::bridge) + " stroke-width=\"2\"");
    words(svg, at, "bridge: a hop beyond the mesh");
    next();
  }
  if (has_direct_hops()) {
    svg.path(bow, look::direct_hop);
    const std::size_t count = strands_.other_loads().size();
    words(svg, at,
          std::to_string(count) + " direct links" +
              (count > drawn_direct_hop_count_max ? ", not drawn" : ""));
    next();
  }
  at.y -= line_height / 2;
  return at;
}

Point SvgLegend::draw_widths(SvgWriter& svg, Point at) const {
  heading(svg, at, "Width: load of a link");
  at.y += heading_height;
  svg.text({at.x, at.y + 8}, "part of the payload M that crosses it,",
           {.size = 12, .fill = "#7b8794"});
  svg.text({at.x, at.y + 24}, "mean of the two directions", {.size = 12, .fill = "#7b8794"});
  at.y += width_note_height;
  const double busiest =
      static_cast<double>(strands_.load_max()) / 2 / static_cast<double>(plan_.total_share);
  for (const double part : sample_parts) {
    const double height = sample_height(part);
    const double strand = part * look::bundle_width_max * pitch_;
    const Point middle{at.x, at.y + height / 2};
    svg.rectangle({at.x, middle.y - strand / 2}, sign_width - 12, strand, 0, "fill=\"#9aa5b1\"");
    words(svg, middle, payload_part(part * busiest) + (part == 1 ? ", the busiest" : ""));
    at.y += height;
  }
  return at;
}

void SvgLegend::draw_colours(SvgWriter& svg, Point at) const {
  heading(svg, at, "Colour: flows and their part of M");
  at.y += heading_height + line_height / 2;
  for (std::size_t colour = 0; colour < colours_.count(); ++colour) {
    svg.rectangle({at.x, at.y - 5}, sign_width - 12, 10, 3,
                  "fill=\"" + std::string(colours_.colour(colour)) + "\"");
    words(svg, at,
          flow_name(colours_.group(colour)) + ", " +
              percentage(colours_.group(colour).share, plan_.total_share));
    at.y += line_height;
  }
}

}  // namespace detour::render
