#include "bench/plot_frame.hpp"

namespace detour::tool {
namespace {

using render::Point;
using render::svg_number;
using render::SvgPath;
using render::TextLook;

constexpr double width = 900;
constexpr double height = 520;
constexpr double left = 84;
constexpr double right = 650;  // the legend stands right of it
constexpr double top = 64;
constexpr double bottom = 456;
constexpr double legend_left = right + 28;
constexpr double legend_line_height = 22;
constexpr double legend_word_height = 17;
constexpr TextLook title_look{.size = 17, .fill = "#1f2933", .anchor = "start", .bold = true};
constexpr TextLook axis_look{.size = 13, .fill = "#1f2933", .anchor = "middle"};

}  // namespace

std::string stroke_look(std::string_view colour, double stroke_width, std::string_view dashes) {
  std::string look = "fill=\"none\" stroke=\"" + std::string(colour) + "\" stroke-width=\"" +
                     svg_number(stroke_width) + "\" stroke-linejoin=\"round\"";
  if (!dashes.empty()) look += " stroke-dasharray=\"" + std::string(dashes) + "\"";
  return look;
}

PlotFrame::PlotFrame(PlotValue lowest, PlotValue highest, double figure_base,
                     const PlotWords& words)
    : size_axis_(lowest.bytes, highest.bytes, 2, left, right),
      figure_axis_(lowest.figure, highest.figure, figure_base, bottom, top),
      svg_(width, height),
      legend_y_(top + 10) {
  draw(words);
}

void PlotFrame::draw(const PlotWords& words) {
  svg_.rectangle({0, 0}, width, height, 0, "fill=\"#ffffff\"");
  svg_.raw("<clipPath id=\"frame\"><rect x=\"" + svg_number(left) + "\" y=\"" + svg_number(top) +
           "\" width=\"" + svg_number(right - left) + "\" height=\"" + svg_number(bottom - top) +
           "\"/></clipPath>\n");
  svg_.text({left, 30}, words.title, title_look);
  svg_.text({left, 50}, words.subtitle, {});
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
  svg_.raw("<g transform=\"translate(24 " + svg_number((top + bottom) / 2) + ") rotate(-90)\">\n");
  svg_.text({0, 0}, words.figure_title, axis_look);
  svg_.raw("</g>\n");
}

Point PlotFrame::point(PlotValue value) const {
  return {size_axis_.position(value.bytes), figure_axis_.position(value.figure)};
}

void PlotFrame::draw_series(std::span<const PlotValue> values, std::string_view colour,
                            std::string_view dashes, std::string_view name) {
  if (values.empty()) return;
  SvgPath line;
  for (const PlotValue& value : values) {
    const Point at = point(value);
    if (line.data().empty()) {
      line.move_to(at);
    } else {
      line.line_to(at);
    }
    svg_.circle(at, 3, "fill=\"" + std::string(colour) + "\"");
  }
  const std::string look = stroke_look(colour, 2, dashes);
  svg_.path(line, look);
  add_legend_line(look, name);
}

void PlotFrame::draw_straight(PlotValue from, PlotValue to, std::string_view look) {
  svg_.path(SvgPath().move_to(point(from)).line_to(point(to)),
            std::string(look) + " clip-path=\"url(#frame)\"");
}

void PlotFrame::add_legend_line(std::string_view look, std::string_view words) {
  svg_.path(SvgPath().move_to({legend_left, legend_y_}).line_to({legend_left + 28, legend_y_}),
            look);
  svg_.text({legend_left + 36, legend_y_ + 4.5}, words, {});
  legend_y_ += legend_line_height;
}

void PlotFrame::add_legend_words(std::string_view words) {
  svg_.text({legend_left + 36, legend_y_ - 2}, words, {});
  legend_y_ += legend_word_height;
}

}  // namespace detour::tool
