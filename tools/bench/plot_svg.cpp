#include "bench/plot_svg.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "bench/plot_frame.hpp"
#include "format.hpp"

namespace detour::tool {
namespace {

constexpr std::string_view yardstick_colour = "#7b8794";
constexpr std::array<std::string_view, 8> colours{"#3f7fd0", "#ec7a3c", "#58a55c", "#b85bb0",
                                                  "#d64550", "#2f9e8f", "#f2b134", "#5a5fcb"};

class Plot {
 public:
  Plot(const BenchReport& report, PlotKind kind)
      : report_(report), kind_(kind), frame_(lowest(), highest(), 10, words()) {}

  std::string draw() {
    draw_limit();
    std::size_t colour_index = 0;
    for (std::size_t index = 0; index < report_.series.size(); ++index) {
      const bool is_subject = report_.series[index].role == SeriesRole::subject;
      frame_.draw_series(values_of(index),
                         is_subject ? colours[colour_index % colours.size()] : yardstick_colour, "",
                         report_.series[index].name);
      if (is_subject) ++colour_index;
    }
    return frame_.take();
  }

 private:
  double figure_of(std::uint64_t bytes, double us) const {
    return kind_ == PlotKind::latency ? us : bus_gbs_or_algorithm(bytes, us);
  }

  // A single rank has no bus.
  double bus_gbs_or_algorithm(std::uint64_t bytes, double us) const {
    return report_.rank_count > 1 ? bus_gbs(bytes, us, report_.rank_count)
                                  : algorithm_gbs(bytes, us);
  }

  std::vector<PlotValue> values_of(std::size_t series) const {
    std::vector<PlotValue> values;
    for (const SizeResult& size : report_.sizes) {
      if (!size.latencies[series]) continue;
      const double figure = figure_of(size.bytes, size.latencies[series]->p50_us);
      // A clock may be too coarse to see a call, and zero has no place on this axis.
      if (figure > 0) values.push_back({static_cast<double>(size.bytes), figure});
    }
    return values;
  }

  // Of what was measured: the limit may be far off for small messages, and is cut there.
  PlotValue lowest() const {
    PlotValue lowest = highest();
    for (const SizeResult& size : report_.sizes) {
      lowest.bytes = std::min(lowest.bytes, static_cast<double>(size.bytes));
    }
    for (std::size_t series = 0; series < report_.series.size(); ++series) {
      for (const PlotValue& value : values_of(series)) {
        lowest.figure = std::min(lowest.figure, value.figure);
      }
    }
    return lowest;
  }

  PlotValue highest() const {
    PlotValue highest{0, 0};
    for (const SizeResult& size : report_.sizes) {
      highest.bytes = std::max(highest.bytes, static_cast<double>(size.bytes));
    }
    for (std::size_t series = 0; series < report_.series.size(); ++series) {
      for (const PlotValue& value : values_of(series)) {
        highest.figure = std::max(highest.figure, value.figure);
      }
    }
    if (kind_ == PlotKind::bandwidth && report_.limit_gbs) {
      highest.figure = std::max(highest.figure, limit_figure(1 << 20));
    }
    // Where nothing was measured there is still a frame.
    return {highest.bytes > 0 ? highest.bytes : 1, highest.figure > 0 ? highest.figure : 1};
  }

  double limit_figure(std::uint64_t bytes) const {
    return figure_of(bytes, memory_limit_us(bytes, report_.rank_count, *report_.limit_gbs));
  }

  PlotWords words() const {
    const bool latency = kind_ == PlotKind::latency;
    return {.title = "Allreduce, " + report_.operation + " of " + report_.type + ", " +
                     count(report_.rank_count, "rank") + (report_.in_place ? ", in place" : ""),
            .subtitle = latency ? "Median latency of a call; lower is better"
                                : "Bus bandwidth of the median call; higher is better",
            .figure_title = latency ? "Latency (us)" : "Bandwidth (GB/s)"};
  }

  // Straight on logarithmic axes, so two points are enough.
  void draw_limit() {
    if (!report_.limit_gbs) return;
    constexpr std::uint64_t any_bytes = 1 << 20;
    const double figure = limit_figure(any_bytes);
    const auto value = [&](double bytes) {
      return PlotValue{bytes, kind_ == PlotKind::latency
                                  ? figure * bytes / static_cast<double>(any_bytes)
                                  : figure};
    };
    const std::string look = stroke_look("#1f2933", 1.5, "6 4");
    frame_.draw_straight(value(frame_.size_axis().lowest()), value(frame_.size_axis().highest()),
                         look);
    frame_.add_legend_line(look, "memory limit, " + fixed(*report_.limit_gbs, 1) + " GB/s:");
    frame_.add_legend_words("every input read once,");
    frame_.add_legend_words("every output written once");
  }

  const BenchReport& report_;
  PlotKind kind_;
  PlotFrame frame_;
};

}  // namespace

std::string plot_svg(const BenchReport& report, PlotKind kind) {
  return Plot(report, kind).draw();
}

}  // namespace detour::tool
