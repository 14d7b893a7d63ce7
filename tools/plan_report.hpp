// The lines below the drawing of a plan, and their short form in a picture.
#pragma once

#include <string>
#include <string_view>

#include "detour/routing/bound.hpp"
#include "detour/routing/cost_model.hpp"
#include "detour/routing/plan.hpp"

namespace detour::tool {

struct PlanFacts {
  std::string_view asked_policy;  // `auto` answers with the plan of another one
  bool policy_from_environment;
  const Topology& topology;
  const Request& request;
  const Plan& plan;
  Shape shape;
  Bound bound;
};

std::string report(const PlanFacts& facts);

// One line.
std::string caption(const PlanFacts& facts);

}  // namespace detour::tool
