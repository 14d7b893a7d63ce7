#include "support/plans.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "support/catch.hpp"

namespace detour::test {
namespace {

using Contributions = std::map<CellId, int>;

bool hop_exists(const Topology& topology, const Plan& plan, Hop hop) {
  if (!topology.live(hop.from) || !topology.live(hop.to) || hop.from == hop.to) return false;
  if (topology.connectivity() == Connectivity::complete) return true;
  const Cell a = topology.mesh().cell(hop.from);
  const Cell b = topology.mesh().cell(hop.to);
  if (std::abs(a.row - b.row) + std::abs(a.col - b.col) == 1) return true;
  return topology.bridges_allowed() &&
         std::any_of(plan.bridges.begin(), plan.bridges.end(), [&](const Hop& bridge) {
           return (bridge == hop) || (bridge == Hop{hop.to, hop.from});
         });
}

// Each cell sends once it has received along all of its incoming hops; at most once per hop.
std::optional<std::string> run_reduce(const Topology& topology, const Flow& flow) {
  std::map<CellId, Contributions> held;
  std::map<CellId, int> awaited;
  std::map<CellId, std::vector<CellId>> outgoing;
  for (const CellId cell : topology.live_cells()) held[cell] = {{cell, 1}};
  for (const Hop& hop : flow.reduce) {
    ++awaited[hop.to];
    outgoing[hop.from].push_back(hop.to);
  }
  std::vector<CellId> ready;
  for (const CellId cell : topology.live_cells()) {
    if (awaited[cell] == 0) ready.push_back(cell);
  }
  while (!ready.empty()) {
    const CellId cell = ready.back();
    ready.pop_back();
    for (const CellId to : outgoing[cell]) {
      for (const auto& [source, count] : held[cell]) held[to][source] += count;
      if (--awaited[to] == 0) ready.push_back(to);
    }
  }
  if (awaited[flow.root] != 0) return "the root waits for ever";
  const Contributions& sum = held[flow.root];
  for (const CellId cell : topology.live_cells()) {
    const auto found = sum.find(cell);
    if (found == sum.end()) return "a contribution is lost";
    if (found->second != 1) return "a contribution counts twice";
  }
  return {};
}

std::optional<std::string> run_broadcast(const Topology& topology, const Flow& flow) {
  std::set<CellId> has{flow.root};
  std::vector<Hop> waiting = flow.broadcast;
  for (bool moved = true; moved;) {
    moved = false;
    for (auto hop = waiting.begin(); hop != waiting.end();) {
      if (!has.contains(hop->from)) {
        ++hop;
        continue;
      }
      if (!has.insert(hop->to).second) return "a cell gets the sum twice";
      hop = waiting.erase(hop);
      moved = true;
    }
  }
  if (!waiting.empty()) return "a hop waits for ever";
  if (has.size() != topology.live_cells().size()) return "a cell does not get the sum";
  return {};
}

std::optional<std::string> check_flow(const Topology& topology, const Plan& plan,
                                      const Flow& flow) {
  if (flow.share == 0) return "a flow without a share";
  if (!topology.live(flow.root)) return "a dead root";
  for (const auto* hops : {&flow.reduce, &flow.broadcast}) {
    for (const Hop& hop : *hops) {
      if (!hop_exists(topology, plan, hop)) return "a hop that is not there";
    }
  }
  // A cell that sends its sum twice, or the root sending it on, is work nobody asked for.
  if (flow.reduce.size() + 1 != topology.live_cells().size()) return "too many or too few hops";
  if (auto defect = run_reduce(topology, flow)) return defect;
  return run_broadcast(topology, flow);
}

std::optional<std::string> check_bridges(const Topology& topology, const Plan& plan) {
  for (const Hop& bridge : plan.bridges) {
    if (!topology.bridges_allowed()) return "a forbidden bridge";
    if (!topology.live(bridge.from) || !topology.live(bridge.to)) return "a bridge to nowhere";
    if (bridge.from == bridge.to || topology.linked(bridge.from, bridge.to)) return "no bridge";
  }
  return {};
}

}  // namespace

const Policy& policy(std::string_view name) {
  const Policy* found = PolicyRegistry::instance().find(name);
  if (found == nullptr) throw std::invalid_argument("no policy is called " + std::string(name));
  return *found;
}

Plan plan_by(std::string_view name, const Topology& topology) {
  auto plan = policy(name).plan(topology, {});
  REQUIRE(plan.reason() == "");
  return std::move(plan).value();
}

std::optional<std::string> oracle_defect(const Topology& topology, const Plan& plan) {
  if (auto defect = check_bridges(topology, plan)) return defect;
  std::optional<std::string> defect;
  std::uint64_t total = 0;
  const auto take = [&](const Flow& flow) {
    total += flow.share;
    if (!defect) defect = check_flow(topology, plan, flow);
  };
  for (const Flow& flow : plan.flows) take(flow);
  for (const Cycle& cycle : plan.cycles) {
    if (cycle.order.size() < 2 || cycle.shares.size() != cycle.order.size()) return "no ring";
    std::set<CellId> known(cycle.order.begin(), cycle.order.end());
    for (const Hop& tail : cycle.tails) {
      if (!known.contains(tail.to)) return "a tail before what it hangs on";
      known.insert(tail.from);
    }
    for (std::size_t at = 0; at < cycle.order.size(); ++at) take(expand(cycle, at));
  }
  if (defect) return defect;
  if (total != plan.total_share) return "shares that don't add up";
  if (total == 0 && topology.live_count() > 1) return "nothing is carried";
  return {};
}

}  // namespace detour::test
