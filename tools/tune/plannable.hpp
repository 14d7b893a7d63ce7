// Which policies have a plan for where the ranks of this job are. The library passes over the others without a word, and
// what would be measured under their names is something else.
#pragma once

#include <string>
#include <vector>

#include "bench/peers.hpp"
#include "settings.hpp"

namespace detour::tool {

// Collective. The others are left out, with a note. Throws BadInput if there is no mesh for the ranks.
std::vector<std::string> plannable(const std::vector<std::string>& policies,
                                   const Settings& settings, std::uint64_t bytes, Peers& peers,
                                   std::vector<std::string>& notes);

}  // namespace detour::tool
