#include <algorithm>

#include "detour/routing/cost_model.hpp"

namespace detour {
namespace {

// How far the furthest cell is from the root, in hops and in mesh links spanned.
struct Reach {
  std::int32_t hops = 0;
  std::int32_t distance = 0;

  // The further of this and of two ways one after the other.
  void extend(const Reach& first, const Reach& second) {
    hops = std::max(hops, first.hops + second.hops);
    distance = std::max(distance, first.distance + second.distance);
  }
};

// How many mesh links a hop counts for.
std::int32_t span(const Topology& topology, Hop hop) {
  return topology.linked(hop.from, hop.to) ? 1 : topology.mesh().distance(hop.from, hop.to);
}

// Measures reaches tree by tree, reusing its memory: there may be hundreds of trees.
class ReachMeter {
 public:
  explicit ReachMeter(const Topology& topology)
      : topology_(topology),
        parent_(static_cast<std::size_t>(topology.mesh().cell_count())),
        reach_(parent_.size()) {}

  // Hops run from child to parent. Cells without a parent are at distance 0.
  Reach measure(const std::vector<Hop>& hops, bool from_parent) {
    std::fill(parent_.begin(), parent_.end(), no_cell);
    std::fill(reach_.begin(), reach_.end(), Reach{unknown, 0});
    for (const Hop& hop : hops) {
      parent_[index(from_parent ? hop.to : hop.from)] = from_parent ? hop.from : hop.to;
    }
    Reach furthest;
    for (const CellId cell : topology_.live_cells()) {
      const Reach reach = reach_of(cell);
      furthest.hops = std::max(furthest.hops, reach.hops);
      furthest.distance = std::max(furthest.distance, reach.distance);
    }
    return furthest;
  }

 private:
  static constexpr std::int32_t unknown = -1;
  static std::size_t index(CellId cell) { return static_cast<std::size_t>(cell); }

  Reach reach_of(CellId cell) {
    path_.clear();
    while (reach_[index(cell)].hops == unknown && parent_[index(cell)] != no_cell) {
      path_.push_back(cell);
      cell = parent_[index(cell)];
    }
    if (reach_[index(cell)].hops == unknown) reach_[index(cell)] = {0, 0};
    Reach reach = reach_[index(cell)];
    for (auto child = path_.rbegin(); child != path_.rend(); ++child) {
      const CellId parent = parent_[index(*child)];
      ++reach.hops;
      reach.distance += span(topology_, {*child, parent});
      reach_[index(*child)] = reach;
    }
    return reach;
  }

  const Topology& topology_;
  std::vector<CellId> parent_;
  std::vector<Reach> reach_;
  std::vector<CellId> path_;
};

// How deep the tails reach that hang on each cell of a ring.
std::vector<Reach> tail_reaches(const Topology& topology, const Cycle& cycle) {
  std::vector<Reach> reach(static_cast<std::size_t>(topology.mesh().cell_count()));
  // From the outermost inwards: a tail's parent is on the ring or in a tail listed before.
  for (auto tail = cycle.tails.rbegin(); tail != cycle.tails.rend(); ++tail) {
    const Reach below = reach[static_cast<std::size_t>(tail->from)];
    Reach& above = reach[static_cast<std::size_t>(tail->to)];
    above.hops = std::max(above.hops, below.hops + 1);
    above.distance = std::max(above.distance, below.distance + span(topology, *tail));
  }
  std::vector<Reach> result;
  for (const CellId cell : cycle.order) result.push_back(reach[static_cast<std::size_t>(cell)]);
  return result;
}

// The deepest flow of a ring. Flow i comes once round from cell i+1, and goes once round to cell i-1;
// a tail anywhere on the way may reach further than the end of it.
Reach ring_reach(const Topology& topology, const Cycle& cycle) {
  const std::size_t count = cycle.order.size();
  const auto tails = tail_reaches(topology, cycle);
  std::vector<std::size_t> tailed;
  for (std::size_t at = 0; at < count; ++at) {
    if (tails[at].hops > 0) tailed.push_back(at);
  }
  // Where each cell is along the ring, in mesh links from cell 0; the last entry is all the way round.
  std::vector<std::int32_t> place(count + 1);
  for (std::size_t at = 0; at < count; ++at) {
    place[at + 1] = place[at] + span(topology, {cycle.order[at], cycle.order[(at + 1) % count]});
  }
  const auto way = [&](std::size_t from, std::size_t to) {  // along the ring
    const bool passes_start = to < from;
    return Reach{static_cast<std::int32_t>(to - from + (passes_start ? count : 0)),
                 place[to] - place[from] + (passes_start ? place[count] : 0)};
  };
  Reach deepest;
  for (std::size_t root = 0; root < count; ++root) {
    Reach up = way((root + 1) % count, root);
    Reach down = way(root, (root + count - 1) % count);
    for (const std::size_t at : tailed) {
      up.extend(way(at, root), tails[at]);
      down.extend(way(root, at), tails[at]);
    }
    deepest.hops = std::max(deepest.hops, up.hops + down.hops);
    deepest.distance = std::max(deepest.distance, up.distance + down.distance);
  }
  return deepest;
}

}  // namespace

Shape shape(const Topology& topology, const Plan& plan) {
  Shape result;
  const auto total = static_cast<double>(share_sum(plan));
  if (total == 0) return result;
  const auto note_flow = [&](Reach reach, Share share) {
    const double part = static_cast<double>(share) / total;
    if (reach.hops > result.depth || (reach.hops == result.depth && part > result.flow_share)) {
      result.flow_share = part;
    }
    result.depth = std::max(result.depth, reach.hops);
    result.distance = std::max(result.distance, reach.distance);
  };

  ReachMeter meter(topology);
  for (const Flow& flow : plan.flows) {
    const Reach up = meter.measure(flow.reduce, false);
    const Reach down = meter.measure(flow.broadcast, true);
    note_flow({up.hops + down.hops, up.distance + down.distance}, flow.share);
  }
  for (const Cycle& cycle : plan.cycles) {
    note_flow(ring_reach(topology, cycle),
              *std::max_element(cycle.shares.begin(), cycle.shares.end()));
  }

  const LinkLoads loads(topology, plan);
  result.link_load = static_cast<double>(loads.load_max()) / total;
  result.cell_load = static_cast<double>(loads.cell_load_max()) / total;
  return result;
}

}  // namespace detour
