#include <algorithm>
#include <string>
#include <vector>

#include "detour/routing/render.hpp"
#include "svg_legend.hpp"
#include "svg_small_multiples.hpp"

namespace detour {
namespace {

using namespace render;

constexpr double margin = 36;
constexpr double number_room = 26;  // for the numbers of rows and columns
constexpr double column_gap = 40;
constexpr double page_width_min = 880;

double panel_pitch(const Mesh& mesh) {
  return std::clamp(680.0 / std::max(mesh.rows(), mesh.cols()), 20.0, 92.0);
}

// "an 8", "an 11", "an 85": by how a number is spoken.
const char* article(std::int32_t number) {
  const std::string digits = std::to_string(number);
  const bool eleven_or_eighteen = digits.starts_with("11") || digits.starts_with("18");
  // 11 and 11 thousand, but one hundred and ten.
  const bool spoken_as_such = digits.size() % 3 == 2;
  return digits.front() == '8' || (eleven_or_eighteen && spoken_as_such) ? "an" : "a";
}

std::string title_of(const Topology& topology) {
  const Mesh& mesh = topology.mesh();
  std::string title = "Allreduce on " + std::string(article(mesh.rows())) + " " +
                      std::to_string(mesh.rows()) + " × " + std::to_string(mesh.cols()) + " mesh";
  const auto failed = topology.faults().count();
  if (failed > 0) {
    title += ", " + std::to_string(failed) + " of " + std::to_string(mesh.cell_count()) +
             " cells failed";
  }
  return title;
}

// Broken between words so that no line has more letters, where words allow that.
std::vector<std::string> wrap_at(const std::string& text, std::size_t letter_count_max) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!line.empty() && line.size() + 1 + word.size() > letter_count_max) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    start = end + 1;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

// No more lines than the width asks for, but of much the same length: no word stands alone.
std::vector<std::string> wrap(const std::string& text, double width, double font_size) {
  // Letters of usual fonts are this wide on average.
  auto letter_count_max = static_cast<std::size_t>(width / (0.56 * font_size));
  auto lines = wrap_at(text, letter_count_max);
  while (lines.size() > 1 && letter_count_max > 1) {
    auto narrower = wrap_at(text, --letter_count_max);
    if (narrower.size() > lines.size()) break;
    lines = std::move(narrower);
  }
  return lines;
}

}  // namespace

std::string render_svg(const Topology& topology, const Plan& plan, const std::string& caption) {
  constexpr double caption_size = 15;
  constexpr double caption_line_height = 21;
  const FlowColours colours(topology, plan);
  const LinkStrands strands(topology, plan, colours);

  SvgGrid grid{topology.mesh(), {}, panel_pitch(topology.mesh())};
  const SvgLegend legend(topology, plan, colours, strands, grid.pitch);
  const double content_width = std::max(number_room + grid.width() + column_gap + SvgLegend::width,
                                        page_width_min - 2 * margin);
  const auto caption_lines = wrap(caption, content_width, caption_size);
  const SmallMultiples multiples(topology, plan, colours, content_width);

  const double caption_top = margin + 34;
  const double body_top =
      caption_top + static_cast<double>(caption_lines.size()) * caption_line_height + 16;
  // In the middle of what the legend leaves.
  const double panel_room = content_width - SvgLegend::width - column_gap - number_room;
  grid.corner = {margin + number_room + (panel_room - grid.width()) / 2, body_top + number_room};
  const double body_height = std::max(number_room + grid.height(), legend.height());
  const double multiples_top = body_top + body_height + 34;
  const double page_width = content_width + 2 * margin;
  const double page_height = multiples_top + multiples.height() + margin / 2;

  SvgWriter svg(page_width, page_height);
  svg.raw(look::hatch_definition);
  svg.rectangle({0, 0}, page_width, page_height, 0, "fill=\"#fff\"");
  svg.text({margin, margin + 16}, title_of(topology),
           {.size = 24, .fill = "#1f2933", .anchor = "start", .bold = true});
  for (std::size_t line = 0; line < caption_lines.size(); ++line) {
    svg.text({margin, caption_top + 8 + static_cast<double>(line) * caption_line_height},
             caption_lines[line], {.size = caption_size, .fill = "#52606d"});
  }
  draw_panel(svg, grid, topology, plan, colours, strands);
  legend.draw(svg, {page_width - margin - SvgLegend::width, body_top + 8});
  multiples.draw(svg, {margin, multiples_top});
  return svg.take();
}

}  // namespace detour
