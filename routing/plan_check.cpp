#include "detour/routing/plan_check.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace detour {
namespace {

using Defect = std::optional<std::string>;

class Checker {
 public:
  explicit Checker(const Topology& topology, const Plan& plan)
      : topology_(topology), plan_(plan), parent_(cell_count(), no_cell), state_(cell_count()) {}

  Defect check() {
    if (auto defect = check_bridges()) return defect;
    std::uint64_t total = 0;
    for (std::size_t at = 0; at < plan_.flows.size(); ++at) {
      const Flow& flow = plan_.flows[at];
      if (auto defect = check_flow(flow)) return "flow " + std::to_string(at) + ": " + *defect;
      total += flow.share;
    }
    for (std::size_t at = 0; at < plan_.cycles.size(); ++at) {
      const Cycle& cycle = plan_.cycles[at];
      if (auto defect = check_cycle(cycle)) return "cycle " + std::to_string(at) + ": " + *defect;
      for (const Share share : cycle.shares) total += share;
    }
    if (auto defect = check_bridges_used()) return defect;
    return check_total(total);
  }

 private:
  std::size_t cell_count() const { return static_cast<std::size_t>(topology_.mesh().cell_count()); }

  std::string describe(CellId cell) const {
    if (!topology_.mesh().contains(cell)) return "number " + std::to_string(cell);
    return to_string(topology_.mesh().cell(cell));
  }

  Defect check_bridges() {
    for (const Hop& bridge : plan_.bridges) {
      const auto name = describe(bridge.from) + "-" + describe(bridge.to);
      if (!topology_.live(bridge.from) || !topology_.live(bridge.to)) {
        return "bridge " + name + " ends in a cell that is not alive";
      }
      if (bridge.from == bridge.to) return "bridge " + name + " leads nowhere";
      if (topology_.linked(bridge.from, bridge.to)) return "bridge " + name + " is a link";
      if (!topology_.bridges_allowed()) return "bridge " + name + " is forbidden";
      if (bridges_.contains(bridge)) return "bridge " + name + " is listed twice";
      bridges_.insert(bridge);
      bridges_.insert({bridge.to, bridge.from});
    }
    return {};
  }

  Defect check_bridges_used() const {
    for (const Hop& bridge : plan_.bridges) {
      if (used_bridges_.contains(bridge)) continue;
      if (used_bridges_.contains({bridge.to, bridge.from})) continue;
      return "bridge " + describe(bridge.from) + "-" + describe(bridge.to) + " is not used";
    }
    return {};
  }

  Defect check_total(std::uint64_t total) const {
    if (total != plan_.total_share) {
      return "the shares add up to " + std::to_string(total) + ", not " +
             std::to_string(plan_.total_share);
    }
    if (topology_.live_count() > 1 && total == 0) return "nothing carries the payload";
    return {};
  }

  Defect check_hop(Hop hop) {
    for (const CellId end : {hop.from, hop.to}) {
      if (!topology_.live(end)) return "cell " + describe(end) + " is not alive";
    }
    if (topology_.linked(hop.from, hop.to)) return {};
    if (bridges_.contains(hop)) {
      used_bridges_.insert(hop);
      return {};
    }
    return "there is no link " + describe(hop.from) + "-" + describe(hop.to);
  }

  Defect check_flow(const Flow& flow) {
    if (flow.share == 0) return "it carries nothing";
    if (!topology_.live(flow.root)) return "its root " + describe(flow.root) + " is not alive";
    if (auto defect = check_tree(flow.root, flow.reduce, false)) return "reduce: " + *defect;
    if (auto defect = check_tree(flow.root, flow.broadcast, true)) return "broadcast: " + *defect;
    return {};
  }

  // Every live cell but the root has one parent, and following parents ends in the root.
  Defect check_tree(CellId root, const std::vector<Hop>& hops, bool from_parent) {
    parent_.assign(parent_.size(), no_cell);
    for (const Hop& hop : hops) {
      if (auto defect = check_hop(hop)) return defect;
      const CellId child = from_parent ? hop.to : hop.from;
      const CellId parent = from_parent ? hop.from : hop.to;
      if (child == root) return "the root " + describe(root) + " has a parent";
      if (auto defect = set_parent(child, parent)) return defect;
    }
    state_.assign(state_.size(), State::unseen);
    state_[index(root)] = State::arrives;
    for (const CellId cell : topology_.live_cells()) {
      if (auto defect = follow_parents(cell)) return defect;
    }
    return {};
  }

  Defect set_parent(CellId child, CellId parent) {
    if (parent_[index(child)] != no_cell) return "cell " + describe(child) + " has two parents";
    parent_[index(child)] = parent;
    return {};
  }

  // Marks the way from a cell upwards; each cell is walked over once in all.
  Defect follow_parents(CellId cell) {
    const CellId start = cell;
    while (state_[index(cell)] == State::unseen) {
      state_[index(cell)] = State::on_the_way;
      cell = parent_[index(cell)];
      if (cell == no_cell) return "cell " + describe(start) + " does not reach the root";
    }
    if (state_[index(cell)] == State::on_the_way) {
      return "there is a cycle through " + describe(cell);
    }
    for (cell = start; state_[index(cell)] == State::on_the_way; cell = parent_[index(cell)]) {
      state_[index(cell)] = State::arrives;
    }
    return {};
  }

  // A ring and what hangs on it, checked once for all the flows that it stands for: each of them
  // spans the same cells by the same hops, less the one that closes the ring.
  Defect check_cycle(const Cycle& cycle) {
    const std::size_t count = cycle.order.size();
    if (count < 2) return "it has fewer than two cells";
    if (cycle.shares.size() != count) return "it has not one share per cell";
    for (const Share share : cycle.shares) {
      if (share == 0) return "one of its flows carries nothing";
    }
    parent_.assign(parent_.size(), no_cell);
    state_.assign(state_.size(), State::unseen);
    for (std::size_t at = 0; at < count; ++at) {
      const Hop hop{cycle.order[at], cycle.order[(at + 1) % count]};
      if (auto defect = check_hop(hop)) return defect;
      if (state_[index(hop.from)] == State::arrives) {
        return "cell " + describe(hop.from) + " is on the ring twice";
      }
      state_[index(hop.from)] = State::arrives;
    }
    for (const Hop& tail : cycle.tails) {
      if (auto defect = check_hop(tail)) return defect;
      if (state_[index(tail.from)] == State::arrives) {
        return "cell " + describe(tail.from) + " is on the ring and in a tail";
      }
      const bool parent_known =
          state_[index(tail.to)] == State::arrives || parent_[index(tail.to)] != no_cell;
      if (!parent_known) {
        return "tail " + describe(tail.from) + " is listed before " + describe(tail.to) +
               ", on which it hangs";
      }
      if (auto defect = set_parent(tail.from, tail.to)) return defect;
    }
    for (const CellId cell : topology_.live_cells()) {
      if (auto defect = follow_parents(cell)) return defect;
    }
    return {};
  }

  static std::size_t index(CellId cell) { return static_cast<std::size_t>(cell); }

  enum class State : std::uint8_t { unseen, on_the_way, arrives };

  const Topology& topology_;
  const Plan& plan_;
  std::set<Hop> bridges_;  // both directions of each
  std::set<Hop> used_bridges_;
  std::vector<CellId> parent_;
  std::vector<State> state_;
};

}  // namespace

std::optional<std::string> find_defect(const Topology& topology, const Plan& plan) {
  return Checker(topology, plan).check();
}

}  // namespace detour
