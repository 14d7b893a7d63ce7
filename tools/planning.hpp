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

// What no plan can beat on this machine, for large messages.
struct Limit {
  double time = 0;  // in units of M/B; infinite where nothing is known
  bool exact = true;
  bool of_injection = false;  // otherwise of the links
};

// The larger of the limits of links and of injection.
Limit tighter_limit(const Bound& bound, const Topology& topology, const Request& request);

// How near a time comes to the limit, "98.9 %" or "at least 98.9 %"; nothing where the limit says
// nothing.
std::optional<std::string> percentage_of_limit(const Limit& limit, double time);

}  // namespace detour::tool
