// How many trees to pack, and how well that went.
#pragma once

#include <cstdint>

#include "tree_packing.hpp"

namespace detour {

struct PackedTrees {
  TreePacking packing;
  Ratio proven;                                // no packing puts less on its busiest link
  std::vector<std::vector<CellId>> partition;  // that proves it; empty: every cell on its own
};

// The best packing of at most `tree_count_max` trees that `steps` visits of nodes suffice for.
PackedTrees pack_trees(const LiveGraph& graph, const Mesh& mesh, std::int32_t tree_count_max,
                       std::int64_t steps);

}  // namespace detour
