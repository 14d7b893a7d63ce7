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

// More trees than this hardly ever pay off.
inline constexpr std::int32_t usual_tree_count_max = 64;

// The best packing of at most so many trees (1 to 1024; more are never packed) that a bounded number
// of steps finds: about 20 ms of work per thousand nodes, the same on every machine.
PackedTrees pack_trees(const LiveGraph& graph, const Mesh& mesh, std::int32_t tree_count_max);

}  // namespace detour
