#include "bench/plot_svg.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "bench/log_axis.hpp"
#include "format.hpp"
#include "render/svg_writer.hpp"

namespace detour::tool {
namespace {

using render::Point;
using render::svg_number;
using render::SvgPath;
using render::SvgWriter;
using render::TextLook;

constexpr double width = 900;
constexpr double height = 520;
constexpr double left = 84;
constexpr double right = 650;  // the legend stands right of it
constexpr double top = 64;
constexpr double bottom = 456;
constexpr double legend_left = right + 28;
constexpr double legend_line_height = 24;
constexpr std::string_view yardstick_colour = "#7b8794";
constexpr std::array<std::string_view, 8> colours{"#3f7fd0", "#ec7a3c", "#58a55c", "#b85bb0",
                                                  "#d64550", "#2f9e8f", "#f2b134", "#5a5fcb"};
constexpr TextLook title_look{.size = 17, .fill = "#1f2933", .anchor = "start", .bold = true};
constexpr TextLook axis_look{.size = 13, .fill = "#1f2933", .anchor = "middle"};

struct Value {
  double bytes;
  double figure;
};

class Plot {
 public:
  Plot(const BenchReport& report, PlotKind kind)
      : report_(report), kind_(kind), size_axis_(make_size_axis()), figure_axis_(make_axis()) {}

  std::string draw() {
    svg_.rectangle({0, 0}, width, height, 0, "fill=\"#ffffff\"");
    draw_title();
    draw_grid();
    draw_limit();
    std::size_t colour_index = 0;
    for (std::size_t index = 0; index < report_.series.size(); ++index) {
      const bool is_subject = report_.series[index].role == SeriesRole::subject;
      draw_series(index, is_subject ? colours[colour_index % colours.size()] : yardstick_colour);
      if (is_subject) ++colour_index;
    }
    return svg_.take();
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

  std::vector<Value> values_of(std::size_t series) const {
    std::vector<Value> values;
    for (const SizeResult& size : report_.sizes) {
      if (!size.latencies[series]) continue;
      const double figure = figure_of(size.bytes, size.latencies[series]->p50_us);
      // A clock may be too coarse to see a call, and zero has no place on this axis.
      if (figure > 0) values.push_back({static_cast<double>(size.bytes), figure});
    }
    return values;
  }

  LogAxis make_size_axis() const {
    double lowest = std::numeric_limits<double>::max();
    double highest = 0;
    for (const SizeResult& size : report_.sizes) {
      lowest = std::min(lowest, static_cast<double>(size.bytes));
      highest = std::max(highest, static_cast<double>(size.bytes));
    }
    return report_.sizes.empty() ? LogAxis(1, 1, 2, left, right)
                                 : LogAxis(lowest, highest, 2, left, right);
  }

  // Of what was measured: the limit may be far off for small messages, and is cut there.
  LogAxis make_axis() const {
    double lowest = std::numeric_limits<double>::max();
    double highest = 0;
    for (std::size_t series = 0; series < report_.series.size(); ++series) {
      for (const Value& value : values_of(series)) {
        lowest = std::min(lowest, value.figure);
        highest = std::max(highest, value.figure);
      }
    }
    if (kind_ == PlotKind::bandwidth && report_.limit_gbs) {
      highest = std::max(highest, limit_figure(1 << 20));
    }
    return highest == 0 ? LogAxis(1, 1, 10, bottom, top)
                        : LogAxis(std::min(lowest, highest), highest, 10, bottom, top);
  }

  double limit_figure(std::uint64_t bytes) const {
    return figure_of(bytes, memory_limit_us(bytes, report_.rank_count, *report_.limit_gbs));
  }

  void draw_title() {
    svg_.text({left, 30},
              "Allreduce, " + report_.operation + " of " + report_.type + ", " +
                  count(report_.rank_count, "rank") + (report_.in_place ? ", in place" : ""),
              title_look);
    svg_.text({left, 50},
              kind_ == PlotKind::latency ? "Median latency of a call; lower is better"
                                         : "Bus bandwidth of the median call; higher is better",
              {});
  }

  void draw_grid() {
    for (const double mark : figure_axis_.marks(10)) {
      const double y = figure_axis_.position(mark);
      svg_.path(SvgPath().move_to({left, y}).line_to({right, y}), "stroke=\"#e4e7eb\"");
      svg_.text({left - 8, y + 4.5}, figure_mark(mark), {.anchor = "end"});
    }
    for (const double mark : size_axis_.marks(8)) {
      const double x = size_axis_.position(mark);
      svg_.path(SvgPath().move_to({x, top}).line_to({x, bottom}), "stroke=\"#e4e7eb\"");
      svg_.text({x, bottom + 20}, size_mark(mark), {.anchor = "middle"});
    }
    svg_.path(SvgPath().rectangle({left, top}, right - left, bottom - top),
              "fill=\"none\" stroke=\"#9aa5b1\"");
    svg_.text({(left + right) / 2, bottom + 46}, "Message size (bytes)", axis_look);
    svg_.raw("<g transform=\"translate(24 " + svg_number((top + bottom) / 2) +
             ") rotate(-90)\">\n");
    svg_.text({0, 0}, kind_ == PlotKind::latency ? "Latency (us)" : "Bandwidth (GB/s)", axis_look);
    svg_.raw("</g>\n");
  }

  // Straight on logarithmic axes, so two points are enough; what leaves the frame is cut off.
  void draw_limit() {
    if (!report_.limit_gbs) return;
    svg_.raw("<clipPath id=\"frame\"><rect x=\"" + svg_number(left) + "\" y=\"" + svg_number(top) +
             "\" width=\"" + svg_number(right - left) + "\" height=\"" + svg_number(bottom - top) +
             "\"/></clipPath>\n");
    constexpr std::uint64_t any_bytes = 1 << 20;
    const double figure = limit_figure(any_bytes);
    const auto point = [&](double bytes) {
      const double there =
          kind_ == PlotKind::latency ? figure * bytes / static_cast<double>(any_bytes) : figure;
      return Point{size_axis_.position(bytes), figure_axis_.position(there)};
    };
    constexpr std::string_view look =
        "fill=\"none\" stroke=\"#1f2933\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"";
    svg_.path(SvgPath().move_to(point(size_axis_.lowest())).line_to(point(size_axis_.highest())),
              std::string(look) + " clip-path=\"url(#frame)\"");
    add_legend_line(look, "memory limit, " + fixed(*report_.limit_gbs, 1) + " GB/s:");
    svg_.text({legend_left + 36, legend_y_ - 2}, "every input read once,", {});
    svg_.text({legend_left + 36, legend_y_ + 15}, "every output written once", {});
    legend_y_ += 36;
  }

  void draw_series(std::size_t series, std::string_view colour) {
    const std::vector<Value> values = values_of(series);
    if (values.empty()) return;
    const std::string stroke = "fill=\"none\" stroke=\"" + std::string(colour) +
                               "\" stroke-width=\"2\" stroke-linejoin=\"round\"";
    SvgPath line;
    for (const Value& value : values) {
      const Point at{size_axis_.position(value.bytes), figure_axis_.position(value.figure)};
      if (line.data().empty()) {
        line.move_to(at);
      } else {
        line.line_to(at);
      }
      svg_.circle(at, 3, "fill=\"" + std::string(colour) + "\"");
    }
    svg_.path(line, stroke);
    add_legend_line(stroke, report_.series[series].name);
  }

  void add_legend_line(std::string_view look, std::string_view words) {
    svg_.path(SvgPath().move_to({legend_left, legend_y_}).line_to({legend_left + 28, legend_y_}),
              look);
    svg_.text({legend_left + 36, legend_y_ + 4.5}, words, {});
    legend_y_ += legend_line_height;
  }

  const BenchReport& report_;
  PlotKind kind_;
  LogAxis size_axis_;
  LogAxis figure_axis_;
  SvgWriter svg_{width, height};
  double legend_y_ = top + 10;
};

}  // namespace

std::string plot_svg(const BenchReport& report, PlotKind kind) {
  return Plot(report, kind).draw();
}

}  // namespace detour::tool
