#include "detour/routing/plan.hpp"

#include <algorithm>
#include <set>

namespace detour {
namespace {

// Both directions of a bridge are one bridge: the lower cell is named first.
Hop undirected(Hop hop) {
  return {std::min(hop.from, hop.to), std::max(hop.from, hop.to)};
}

}  // namespace

Flow expand(const Cycle& cycle, std::size_t index) {
  const std::size_t count = cycle.order.size();
  Flow flow;
  flow.share = cycle.shares[index];
  flow.root = cycle.order[index];
  flow.reduce.reserve(count - 1 + cycle.tails.size());
  flow.broadcast.reserve(count - 1 + cycle.tails.size());
  flow.reduce.assign(cycle.tails.rbegin(), cycle.tails.rend());  // the outermost first
  for (std::size_t step = 1; step < count; ++step) {
    const CellId from = cycle.order[(index + step) % count];
    const CellId to = cycle.order[(index + step + 1) % count];
    flow.reduce.push_back({from, to});
  }
  for (std::size_t step = 0; step + 1 < count; ++step) {
    const CellId from = cycle.order[(index + step) % count];
    const CellId to = cycle.order[(index + step + 1) % count];
    flow.broadcast.push_back({from, to});
  }
  for (const Hop& tail : cycle.tails) flow.broadcast.push_back({tail.to, tail.from});
  return flow;
}

void for_each_flow(const Plan& plan, const std::function<void(const Flow&)>& visit) {
  for (const Flow& flow : plan.flows) visit(flow);
  for (const Cycle& cycle : plan.cycles) {
    for (std::size_t index = 0; index < cycle.order.size(); ++index) visit(expand(cycle, index));
  }
}

std::uint64_t share_sum(const Plan& plan) {
  std::uint64_t sum = 0;
  for (const Flow& flow : plan.flows) sum += flow.share;
  for (const Cycle& cycle : plan.cycles) {
    for (const Share share : cycle.shares) sum += share;
  }
  return sum;
}

std::size_t flow_count(const Plan& plan) {
  std::size_t count = plan.flows.size();
  for (const Cycle& cycle : plan.cycles) count += cycle.order.size();
  return count;
}

void mark_joins(const Topology& topology, Plan& plan) {
  if (topology.connectivity() == Connectivity::complete || topology.joins().empty()) return;
  const std::set<Hop> joins(topology.joins().begin(), topology.joins().end());
  std::set<Hop> bridges;
  for (const Hop& bridge : plan.bridges) bridges.insert(undirected(bridge));
  const auto note = [&](Hop hop) {
    if (topology.mesh().adjacent(hop.from, hop.to)) return;
    if (joins.contains(undirected(hop))) bridges.insert(undirected(hop));
  };
  for (const Flow& flow : plan.flows) {
    for (const Hop& hop : flow.reduce) note(hop);
    for (const Hop& hop : flow.broadcast) note(hop);
  }
  for (const Cycle& cycle : plan.cycles) {
    for (std::size_t at = 0; at < cycle.order.size(); ++at) {
      note({cycle.order[at], cycle.order[(at + 1) % cycle.order.size()]});
    }
    for (const Hop& tail : cycle.tails) note(tail);
  }
  plan.bridges.assign(bridges.begin(), bridges.end());
}

}  // namespace detour
