// What the library does without a table of the user's.
#pragma once

#include "selection/selection_table.hpp"
#include "tune/way.hpp"

namespace detour::tool {

// As the built-in table has it: stores may be left to the library.
Way built_in_way(const Situation& situation);

// What stores come to where they are left to the library, with the policy `direct` on one node.
StoreChoice usual_stores(std::uint64_t bytes);

}  // namespace detour::tool
