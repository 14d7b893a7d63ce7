// A plot over message size, both axes logarithmic: frame, marks, lines and a legend.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bench/log_axis.hpp"
#include "render/svg_writer.hpp"

namespace detour::tool {

struct PlotValue {
  double bytes;
  double figure;
};

struct PlotWords {
  std::string title;
  std::string subtitle;
  std::string figure_title;  // of the vertical axis
};

// How a line and its sample in the legend are drawn.
std::string stroke_look(std::string_view colour, double width, std::string_view dashes = {});

class PlotFrame {
 public:
  // The axes take in both ends and go on to the next power: of two for sizes, of `figure_base` for figures.
  PlotFrame(PlotValue lowest, PlotValue highest, double figure_base, const PlotWords& words);

  const LogAxis& size_axis() const { return size_axis_; }
  const LogAxis& figure_axis() const { return figure_axis_; }

  // With a dot at each value, and a name in the legend. No line of no values.
  void draw_series(std::span<const PlotValue> values, std::string_view colour,
                   std::string_view dashes, std::string_view name);
  // What leaves the frame is cut off.
  void draw_straight(PlotValue from, PlotValue to, std::string_view look);
  void add_legend_line(std::string_view look, std::string_view words);
  // More words on the line before, below it.
  void add_legend_words(std::string_view words);

  std::string take() { return svg_.take(); }

 private:
  void draw(const PlotWords& words);
  render::Point point(PlotValue value) const;

  LogAxis size_axis_;
  LogAxis figure_axis_;
  render::SvgWriter svg_;
  double legend_y_;
};

}  // namespace detour::tool
