#include "collectives/rank_flow.hpp"

#include <utility>

namespace detour {
namespace {

std::vector<Share> shares_of(const Plan& plan) {
  std::vector<Share> shares;
  shares.reserve(flow_count(plan));
  for (const Flow& flow : plan.flows) shares.push_back(flow.share);
  for (const Cycle& cycle : plan.cycles) {
    shares.insert(shares.end(), cycle.shares.begin(), cycle.shares.end());
  }
  return shares;
}

RankFlow expand_flow(const Flow& flow, const CellMap& cells, const std::vector<CellId>& live_cells,
                     std::size_t index, ElementRange elements) {
  const auto speaker = [&](CellId cell) {
    const auto& ranks = cells.ranks(cell);
    return ranks[index % ranks.size()];
  };
  RankFlow result;
  result.elements = elements;
  result.root = speaker(flow.root);
  // Within a cell first: what comes from other cells has a longer way behind it.
  for (const CellId cell : live_cells) {
    for (const Rank rank : cells.ranks(cell)) {
      if (rank != speaker(cell)) result.reduce.push_back({rank, speaker(cell)});
    }
  }
  for (const Hop& hop : flow.reduce) result.reduce.push_back({speaker(hop.from), speaker(hop.to)});
  for (const Hop& hop : flow.broadcast) {
    result.broadcast.push_back({speaker(hop.from), speaker(hop.to)});
  }
  for (const CellId cell : live_cells) {
    for (const Rank rank : cells.ranks(cell)) {
      if (rank != speaker(cell)) result.broadcast.push_back({speaker(cell), rank});
    }
  }
  return result;
}

// One cell alone: its ranks form stars, one per rank.
std::vector<RankFlow> expand_single_cell(const std::vector<Rank>& ranks,
                                         std::uint64_t element_count) {
  const std::vector<Share> shares(ranks.size(), 1);
  const auto ranges = cut_by_shares(element_count, shares);
  std::vector<RankFlow> flows;
  for (std::size_t at = 0; at < ranks.size(); ++at) {
    if (ranges[at].count == 0) continue;
    RankFlow flow;
    flow.elements = ranges[at];
    flow.root = ranks[at];
    for (const Rank rank : ranks) {
      if (rank == flow.root) continue;
      flow.reduce.push_back({rank, flow.root});
      flow.broadcast.push_back({flow.root, rank});
    }
    flows.push_back(std::move(flow));
  }
  return flows;
}

// Whether following parents from every rank ends in the root; each way is walked once.
bool all_reach(Rank root, const std::vector<Rank>& parent) {
  enum class State : std::uint8_t { unseen, on_the_way, arrives };
  std::vector<State> state(parent.size(), State::unseen);
  state[static_cast<std::size_t>(root)] = State::arrives;
  for (std::size_t start = 0; start < parent.size(); ++start) {
    std::vector<std::size_t> way;
    std::size_t at = start;
    while (state[at] == State::unseen) {
      if (parent[at] == no_rank) return false;
      state[at] = State::on_the_way;
      way.push_back(at);
      at = static_cast<std::size_t>(parent[at]);
    }
    if (state[at] == State::on_the_way) return false;
    for (const std::size_t passed : way) state[passed] = State::arrives;
  }
  return true;
}

std::optional<std::string> find_tree_defect(const std::vector<RankHop>& hops, Rank root,
                                            std::int32_t rank_count, bool from_parent) {
  const auto inside = [rank_count](Rank rank) { return rank >= 0 && rank < rank_count; };
  if (!inside(root)) return "the root is no rank";
  std::vector<Rank> parent(static_cast<std::size_t>(rank_count), no_rank);
  for (const RankHop& hop : hops) {
    if (!inside(hop.from) || !inside(hop.to)) return "a hop ends in no rank";
    const Rank child = from_parent ? hop.to : hop.from;
    auto& its_parent = parent[static_cast<std::size_t>(child)];
    if (its_parent != no_rank || child == root) {
      return "rank " + std::to_string(child) + " has a parent too many";
    }
    its_parent = from_parent ? hop.from : hop.to;
  }
  if (!all_reach(root, parent)) return "not all ranks are connected to the root";
  return std::nullopt;
}

}  // namespace

CellMap::CellMap(std::vector<std::vector<Rank>> ranks_of_cell)
    : ranks_of_cell_(std::move(ranks_of_cell)) {
  for (const auto& ranks : ranks_of_cell_) rank_count_ += static_cast<std::int32_t>(ranks.size());
}

CellMap CellMap::one_rank_per_cell(const Topology& topology) {
  std::vector<std::vector<Rank>> ranks(static_cast<std::size_t>(topology.mesh().cell_count()));
  Rank next = 0;
  for (const CellId cell : topology.live_cells()) ranks[static_cast<std::size_t>(cell)] = {next++};
  return CellMap(std::move(ranks));
}

std::vector<RankFlow> expand_plan(const Plan& plan, const CellMap& cells,
                                  std::uint64_t element_count) {
  std::vector<CellId> live_cells;
  for (CellId cell = 0; cell < cells.cell_count(); ++cell) {
    if (!cells.ranks(cell).empty()) live_cells.push_back(cell);
  }
  if (live_cells.size() == 1) return expand_single_cell(cells.ranks(live_cells[0]), element_count);

  const auto ranges = cut_by_shares(element_count, shares_of(plan));
  std::vector<RankFlow> flows;
  std::size_t index = 0;
  for_each_flow(plan, [&](const Flow& flow) {
    if (ranges[index].count > 0) {
      flows.push_back(expand_flow(flow, cells, live_cells, index, ranges[index]));
    }
    ++index;
  });
  return flows;
}

std::optional<std::string> find_flow_defect(const std::vector<RankFlow>& flows,
                                            std::int32_t rank_count, std::uint64_t element_count) {
  std::uint64_t next = 0;
  for (std::size_t at = 0; at < flows.size(); ++at) {
    const RankFlow& flow = flows[at];
    const std::string where = "flow " + std::to_string(at) + ": ";
    if (flow.elements.first != next) return where + "its elements don't follow those before it";
    next = flow.elements.end();
    if (flow.has_reduce) {
      if (auto defect = find_tree_defect(flow.reduce, flow.root, rank_count, false)) {
        return where + "reduce: " + *defect;
      }
    }
    if (flow.has_broadcast) {
      if (auto defect = find_tree_defect(flow.broadcast, flow.root, rank_count, true)) {
        return where + "broadcast: " + *defect;
      }
    }
  }
  if (next != element_count) return "the flows carry " + std::to_string(next) + " elements";
  return std::nullopt;
}

}  // namespace detour
