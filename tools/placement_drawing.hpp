// The mesh as text: which ranks are in which cell, on which host and cores.
#pragma once

#include <string>
#include <vector>

#include "job.hpp"
#include "placement/placement.hpp"

namespace detour::tool {

// "0-3,8": ascending numbers with runs put together.
std::string ranges(std::vector<std::int32_t> numbers);

// Of one rank: "core 3", "2 cores from 4", or "any core" if it is not bound.
std::string cores_text(const RankReport& report);

// No line is longer than `width`, unless a single cell is: a mesh that is too wide is drawn in several
// pieces, some columns each.
std::string draw_placement(const Placement& placement, const std::vector<RankReport>& reports,
                           std::size_t width);

}  // namespace detour::tool
