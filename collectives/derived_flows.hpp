// The flows of the other collective operations, made from those of an allreduce: the same trees, hung
// up at another root.
//
//      allreduce      r          broadcast from c       c
//                   /   \                              / \        every tree of the plan, so that the
//                  a     b                            a   d       links share the load as they do there
//                 / \                                 |
//                c   d    ...                         r - b
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/rank_flow.hpp"

namespace detour {

// All data to one rank, or from one.
std::vector<RankFlow> reduce_flows(std::vector<RankFlow> allreduce, Rank root);
std::vector<RankFlow> broadcast_flows(std::vector<RankFlow> allreduce, Rank root);

// One tree for the block of each rank: blocks lie one after the other, in rank order, and may be empty. The
// trees are taken from `trees`, whatever elements those carry: the one whose root is the block's owner, or
// else the next one in turn.
std::vector<RankFlow> allgather_flows(const std::vector<RankFlow>& trees,
                                      std::span<const std::uint64_t> block_counts);
std::vector<RankFlow> reduce_scatter_flows(const std::vector<RankFlow>& trees,
                                           std::span<const std::uint64_t> block_counts);

// A plan's trees, each with some elements, as many as it takes.
std::vector<RankFlow> all_trees(const Plan& plan, const CellMap& cells);

}  // namespace detour
