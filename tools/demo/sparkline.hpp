// A row of bars, one character each.
#pragma once

#include <span>
#include <string>

namespace detour::demo {

// From 0 to the largest value. What is above 0 never looks like nothing.
std::string sparkline(std::span<const double> values, bool unicode);

}  // namespace detour::demo
