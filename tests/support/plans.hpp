// What several routing tests need: policies by name, and an oracle.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "detour/routing.hpp"
#include "support/meshes.hpp"

namespace detour::test {

const Policy& policy(std::string_view name);

// The plan of the policy of that name; one that has none fails the test.
Plan plan_by(std::string_view name, const Topology& topology);

// Runs a plan symbolically, flow by flow: nothing if every live cell ends up with every live cell's
// contribution exactly once, in shares that make up the whole; otherwise what went wrong. It knows
// nothing of trees: it moves sets of contributions along hops whenever a cell has all it waits for.
std::optional<std::string> oracle_defect(const Topology& topology, const Plan& plan);

}  // namespace detour::test
