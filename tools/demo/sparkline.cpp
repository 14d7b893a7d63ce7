#include "demo/sparkline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace detour::demo {
namespace {

constexpr std::array<std::string_view, 9> blocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 9> letters{" ", ".", ":", "-", "=", "+", "*", "%", "#"};

}  // namespace

std::string sparkline(std::span<const double> values, bool unicode) {
  const auto& bars = unicode ? blocks : letters;
  const double highest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  std::string line;
  for (const double value : values) {
    const double share = highest > 0 && value > 0 ? value / highest : 0;
    line += bars[static_cast<std::size_t>(std::ceil(share * static_cast<double>(bars.size() - 1)))];
  }
  return line;
}

}  // namespace detour::demo
