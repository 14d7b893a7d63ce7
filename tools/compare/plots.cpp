#include "compare/plots.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "bench/plot_frame.hpp"
#include "format.hpp"

namespace detour::tool {
namespace {

constexpr std::array<std::string_view, 8> colours{"#7a9cc6", "#e0a080", "#8fbf8f", "#c79bc2",
                                                  "#b0a060", "#7fb9b0", "#c0c0c0", "#9a95d0"};
constexpr std::array<std::string_view, 4> rank_colours{"#3f7fd0", "#ec7a3c", "#58a55c", "#b85bb0"};
constexpr std::string_view detour_colour = "#d6202f";
constexpr std::string_view limit_colour = "#1f2933";
constexpr std::string_view outsider_colour = "#5f4b32";
constexpr std::string_view exchange_colour = "#8a94a0";

struct Line {
  std::string name;
  std::string_view colour;
  std::string_view dashes;
  std::vector<PlotValue> values;
};

std::string draw(const std::vector<Line>& lines, double figure_base, const PlotWords& words,
                 bool with_one) {
  PlotValue lowest{1, 1};
  PlotValue highest{1, 1};
  bool first = true;
  for (const Line& line : lines) {
    for (const PlotValue& value : line.values) {
      if (first) lowest = highest = {value.bytes, with_one ? 1 : value.figure};
      first = false;
      lowest = {std::min(lowest.bytes, value.bytes), std::min(lowest.figure, value.figure)};
      highest = {std::max(highest.bytes, value.bytes), std::max(highest.figure, value.figure)};
    }
  }
  PlotFrame frame(lowest, highest, figure_base, words);
  if (with_one) {
    frame.draw_straight({frame.size_axis().lowest(), 1}, {frame.size_axis().highest(), 1},
                        stroke_look(limit_colour, 1.5));
  }
  for (const Line& line : lines)
    frame.draw_series(line.values, line.colour, line.dashes, line.name);
  return frame.take();
}

std::vector<PlotValue> times_of(const Comparison& comparison, std::size_t series) {
  std::vector<PlotValue> values;
  for (const ComparedSize& size : comparison.sizes) {
    const auto& median = size.medians[series];
    if (median && median->us > 0) values.push_back({static_cast<double>(size.bytes), median->us});
  }
  return values;
}

Line times_line(const Comparison& comparison, std::size_t index, std::size_t& peer_count) {
  const Series& series = comparison.series[index];
  const bool alternative = series.buffers == Buffers::shared || series.name.ends_with("streaming");
  Line line{.name = series.name,
            .colour = detour_colour,
            .dashes = alternative ? "6 4" : "",
            .values = times_of(comparison, index)};
  if (series.role == Role::limit) line.colour = limit_colour;
  if (series.role == Role::outsider) {
    line.colour = outsider_colour;
    line.dashes = series.name == "Gloo" ? "2 3" : "";
  }
  if (series.role == Role::peer) {
    line.colour = colours[peer_count % colours.size()];
    line.dashes = peer_count < colours.size() ? "" : "2 3";
    ++peer_count;
  }
  return line;
}

// In the fastest of their forms at each size: nobody could tell a dozen lines apart.
Line exchange_line(const Comparison& comparison, Buffers buffers) {
  const bool mapped = buffers == Buffers::shared;
  Line line{.name = mapped ? "bare mapped sum" : "bare exchange",
            .colour = exchange_colour,
            .dashes = mapped ? "6 4" : "",
            .values = {}};
  for (const ComparedSize& size : comparison.sizes) {
    const auto best = fastest(comparison, size, Role::exchange, buffers);
    if (!best || size.medians[*best]->us <= 0) continue;
    line.values.push_back({static_cast<double>(size.bytes), size.medians[*best]->us});
  }
  return line;
}

std::vector<PlotValue> ratios_of(const Comparison& comparison, Buffers buffers) {
  std::vector<PlotValue> values;
  for (const ComparedSize& size : comparison.sizes) {
    const Standing* const standing = find_standing(size, buffers);
    if (standing == nullptr || !standing->to_best_peer) continue;
    values.push_back({static_cast<double>(size.bytes), standing->to_best_peer->ratio});
  }
  return values;
}

}  // namespace

std::string times_svg(const Comparison& comparison) {
  std::vector<Line> lines;
  std::size_t peer_count = 0;
  for (std::size_t index = 0; index < comparison.series.size(); ++index) {
    if (comparison.series[index].role == Role::exchange) continue;
    lines.push_back(times_line(comparison, index, peer_count));
  }
  for (const Buffers buffers : {Buffers::any, Buffers::shared}) {
    const Line line = exchange_line(comparison, buffers);
    if (!line.values.empty()) lines.push_back(line);
  }
  return draw(lines, 10,
              {.title = "Allreduce, sum of float, " + count(comparison.rank_count, "rank") + ", " +
                        place_words(comparison.in_place),
               .subtitle = "Median time of a call; lower is better",
               .figure_title = "Time (us)"},
              false);
}

std::string ratios_svg(std::span<const Comparison> comparisons, bool in_place) {
  std::vector<Line> lines;
  std::size_t colour = 0;
  for (const Comparison& comparison : comparisons) {
    if (comparison.in_place != in_place) continue;
    const std::string ranks = count(comparison.rank_count, "rank");
    const std::string_view rank_colour = rank_colours[colour++ % rank_colours.size()];
    lines.push_back({ranks, rank_colour, "", ratios_of(comparison, Buffers::any)});
    lines.push_back(
        {ranks + ", Detour_Alloc", rank_colour, "6 4", ratios_of(comparison, Buffers::shared)});
  }
  return draw(lines, 2,
              {.title = "Allreduce, sum of float, " + place_words(in_place),
               .subtitle = "The best peer's time over Detour's, at each size; higher is better",
               .figure_title = "Ratio"},
              true);
}

}  // namespace detour::tool
