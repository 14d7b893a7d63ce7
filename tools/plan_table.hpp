// All policies side by side on one mesh.
#pragma once

#include <string>

#include "detour/routing/request.hpp"
#include "detour/routing/topology.hpp"
#include "planning.hpp"

namespace detour::tool {

struct PolicyTable {
  std::string text;
  bool all_refused = true;
};

// The fastest first, those that refuse last, with their reasons.
PolicyTable compare_policies(const Topology& topology, const Request& request, const Limit& limit);

}  // namespace detour::tool
