#include "bench/log_axis.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace detour::tool {
namespace {

double log_to(double base, double value) {
  return std::log(value) / std::log(base);
}

// Logarithms of powers are whole numbers but for rounding.
constexpr double rounding = 1e-9;

}  // namespace

LogAxis::LogAxis(double lowest, double highest, double base, double from_position,
                 double to_position)
    : base_(base), from_position_(from_position), to_position_(to_position) {
  const double from = std::floor(log_to(base, lowest) + rounding);
  double to = std::ceil(log_to(base, highest) - rounding);
  if (to <= from) to = from + 1;
  lowest_ = std::pow(base, from);
  highest_ = std::pow(base, to);
}

double LogAxis::position(double value) const {
  const double part = log_to(base_, value / lowest_) / log_to(base_, highest_ / lowest_);
  return from_position_ + part * (to_position_ - from_position_);
}

std::vector<double> LogAxis::marks(std::size_t count_max) const {
  const auto step_count = static_cast<std::size_t>(std::lround(log_to(base_, highest_ / lowest_)));
  const std::size_t stride = step_count / count_max + 1;
  std::vector<double> marks;
  for (std::size_t step = 0; step <= step_count; step += stride) {
    marks.push_back(lowest_ * std::pow(base_, static_cast<double>(step)));
  }
  return marks;
}

std::string size_mark(double bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return figure_mark(bytes) + " " + units[unit];
}

std::string figure_mark(double figure) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", figure);
  return text;
}

}  // namespace detour::tool
