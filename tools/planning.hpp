// From names and arguments to a checked plan, and what there is to say about it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "detour/routing/bound.hpp"
#include "detour/routing/plan.hpp"
#include "detour/routing/policy.hpp"

namespace detour::tool {

// Throws BadInput, with the nearest name, if there is no such policy.
const Policy& find_policy(std::string_view name);

// Throws Refused or Defect.
Plan make_plan(const Policy& policy, const Topology& topology, const Request& request);

// How near a time comes to the limit, in per cent; nothing where the limit says nothing.
std::optional<double> percentage_of_limit(const Bound& bound, double time);

}  // namespace detour::tool
