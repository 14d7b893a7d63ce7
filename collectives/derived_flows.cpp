#include "collectives/derived_flows.hpp"

#include <algorithm>
#include <utility>

namespace detour {
namespace {

// The same links, from the root outwards: parent -> child, parents before their children.
std::vector<RankHop> hung_up_at(Rank root, const std::vector<RankHop>& hops) {
  std::vector<std::vector<Rank>> neighbours(hops.size() + 1);
  for (const RankHop& hop : hops) {
    neighbours[static_cast<std::size_t>(hop.from)].push_back(hop.to);
    neighbours[static_cast<std::size_t>(hop.to)].push_back(hop.from);
  }
  std::vector<RankHop> result;
  std::vector<RankHop> to_visit{{no_rank, root}};
  for (std::size_t next = 0; next < to_visit.size(); ++next) {
    const RankHop hop = to_visit[next];
    if (hop.from != no_rank) result.push_back(hop);
    for (const Rank neighbour : neighbours[static_cast<std::size_t>(hop.to)]) {
      if (neighbour != hop.from) to_visit.push_back({hop.to, neighbour});
    }
  }
  return result;
}

RankFlow broadcast_from(Rank root, const RankFlow& tree, ElementRange elements) {
  RankFlow flow;
  flow.elements = elements;
  flow.root = root;
  flow.has_reduce = false;
  flow.broadcast = hung_up_at(root, tree.broadcast);
  return flow;
}

RankFlow reduce_to(Rank root, const RankFlow& tree, ElementRange elements) {
  RankFlow flow;
  flow.elements = elements;
  flow.root = root;
  flow.has_broadcast = false;
  flow.reduce = hung_up_at(root, tree.reduce);
  for (RankHop& hop : flow.reduce) std::swap(hop.from, hop.to);
  return flow;
}

using MakeFlow = RankFlow (*)(Rank root, const RankFlow& tree, ElementRange elements);

std::vector<RankFlow> hang_up_all(std::vector<RankFlow> flows, Rank root, MakeFlow make) {
  for (RankFlow& flow : flows) flow = make(root, flow, flow.elements);
  return flows;
}

const RankFlow& tree_for(Rank owner, const std::vector<RankFlow>& trees) {
  const auto own = std::find_if(trees.begin(), trees.end(),
                                [owner](const RankFlow& tree) { return tree.root == owner; });
  return own != trees.end() ? *own : trees[static_cast<std::size_t>(owner) % trees.size()];
}

std::vector<RankFlow> one_per_block(const std::vector<RankFlow>& trees,
                                    std::span<const std::uint64_t> block_counts, MakeFlow make) {
  std::vector<RankFlow> flows;
  ElementRange block;
  for (std::size_t owner = 0; owner < block_counts.size(); ++owner) {
    block = {block.end(), block_counts[owner]};
    if (block.count == 0) continue;
    const Rank rank = static_cast<Rank>(owner);
    flows.push_back(make(rank, tree_for(rank, trees), block));
  }
  return flows;
}

}  // namespace

std::vector<RankFlow> reduce_flows(std::vector<RankFlow> allreduce, Rank root) {
  return hang_up_all(std::move(allreduce), root, reduce_to);
}

std::vector<RankFlow> broadcast_flows(std::vector<RankFlow> allreduce, Rank root) {
  return hang_up_all(std::move(allreduce), root, broadcast_from);
}

std::vector<RankFlow> allgather_flows(const std::vector<RankFlow>& trees,
                                      std::span<const std::uint64_t> block_counts) {
  return one_per_block(trees, block_counts, broadcast_from);
}

std::vector<RankFlow> reduce_scatter_flows(const std::vector<RankFlow>& trees,
                                           std::span<const std::uint64_t> block_counts) {
  return one_per_block(trees, block_counts, reduce_to);
}

std::vector<RankFlow> all_trees(const Plan& plan, const CellMap& cells) {
  // With one element per share every tree gets some; more elements than that do no harm.
  const auto element_count = share_sum(plan) + static_cast<std::uint64_t>(cells.rank_count());
  return expand_plan(plan, cells, element_count);
}

}  // namespace detour
