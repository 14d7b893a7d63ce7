// The independent judge of plans. It shares no code with the policies and trusts nothing they say.
#pragma once

#include <optional>
#include <string>

#include "detour/routing/api.hpp"
#include "detour/routing/plan.hpp"

namespace detour {

// Nothing if the plan is right: every flow's reduce tree takes each live cell to the root exactly
// once, its broadcast tree brings the sum back to each exactly once, no hop leaves the links that
// are there or the bridges that are marked and allowed, and all shares add up. Otherwise a sentence
// that names the first defect.
DETOUR_API std::optional<std::string> find_defect(const Topology& topology, const Plan& plan);

}  // namespace detour
