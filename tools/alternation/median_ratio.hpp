// Ratios of what was measured apart from each other, with their intervals.
#pragma once

#include <span>

#include "alternation/series.hpp"
#include "bench/ratio.hpp"

namespace detour::tool {

// Of ratios of different sizes, each with its own interval, independent of each other. Not of nothing.
Ratio geometric_mean(std::span<const Ratio> ratios);
// Of medians that are taken to be independent of each other.
Ratio ratio_of(const Median& above, const Median& below);

}  // namespace detour::tool
