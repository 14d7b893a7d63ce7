#include "compare/comparison.hpp"

#include <algorithm>

namespace detour::tool {

std::optional<std::size_t> fastest(const Comparison& comparison, const ComparedSize& size,
                                   Role role, Buffers buffers) {
  std::optional<std::size_t> best;
  for (std::size_t index = 0; index < comparison.series.size(); ++index) {
    const Series& series = comparison.series[index];
    if (series.role != role || series.buffers != buffers) continue;
    if (!size.medians[index] || size.medians[index]->of_trial) continue;
    if (!best || size.medians[index]->us < size.medians[*best]->us) best = index;
  }
  return best;
}

std::optional<Median> detour_median(const Comparison& comparison, const ComparedSize& size,
                                    Buffers buffers) {
  for (std::size_t index = 0; index < comparison.series.size(); ++index) {
    const Series& series = comparison.series[index];
    if (series.role == Role::detour && series.buffers == buffers) return size.medians[index];
  }
  return std::nullopt;
}

const Standing* find_standing(const ComparedSize& size, Buffers buffers) {
  const auto found = std::ranges::find(size.standings, buffers, &Standing::buffers);
  return found == size.standings.end() ? nullptr : &*found;
}

std::string buffers_words(Buffers buffers) {
  return buffers == Buffers::any ? "any" : "Detour_Alloc";
}

}  // namespace detour::tool
