// Comparisons as pictures.
#pragma once

#include <span>
#include <string>

#include "compare/comparison.hpp"

namespace detour::tool {

// Median time over message size: Detour, everybody else, memory itself, and bare calls.
std::string times_svg(const Comparison& comparison);
// The best peer's time over Detour's, of all of the comparisons that are in place, or out of it.
std::string ratios_svg(std::span<const Comparison> comparisons, bool in_place);

}  // namespace detour::tool
