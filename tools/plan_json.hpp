// A plan as JSON.
#pragma once

#include <iosfwd>

#include "detour/routing/bound.hpp"
#include "detour/routing/plan.hpp"

namespace detour::tool {

// One line. Flows are written one at a time, so that a ring, whose flows would fill gigabytes,
// takes no more memory than a tree. Stops early when the stream fails.
void write_json(std::ostream& out, const Topology& topology, const Plan& plan, const Bound& bound);

}  // namespace detour::tool
