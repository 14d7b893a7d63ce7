// ring: one ring through as many cells as possible, used both ways.
//
//     o-o-o-o-o-o    Half of the payload goes round one way, half the other, a share per cell:
//     |         |    once round to sum a share, ending in the cell that owns it, and once round to
//     o o-o-o-o o    spread the sum. The ring is the walk round a spanning tree of the 2x2 squares
//     | |     | |    that are whole. It then takes in pairs of cells beside it, makes detours
//     o o # # o o    through cells that it passes by, and exchanges links where that brings in
//     | |     | |    cells that are further apart.
//     o-o # # o-o
//
//       o-o-o        The colours of a chessboard alternate on a ring, so cells of one colour are
//       |   |        left over where there are more of it. Such a cell hangs on the ring as a tail:
//       o.t:o        on one neighbour one way round (.), on another one the other way round (:),
//       |   |        if it has two.
//       o-o-o
//
// Price: time (m-1)/m on a ring of m cells, plus nothing for tails with two ways out: their links
// carry half of the payload. A tail with one way out carries all of it: time 1. Depth 2(m-1), so it
// is for large messages.
#include <algorithm>
#include <utility>

#include "detour/routing/live_graph.hpp"
#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"
#include "hamiltonian.hpp"
#include "tails.hpp"

namespace detour {
namespace {

class Ring final : public Policy {
 public:
  std::string_view name() const override { return "ring"; }
  std::string_view summary() const override {
    return "one ring through all cells, both ways; cells it can't take in hang on it";
  }

 private:
  // To know whether there is a ring and what hangs on it is to build it, and that is cheap: it is
  // stored as an order of cells.
  Outcome<Quote> make_quote(const Topology& topology, const Request& request) const override {
    const auto outcome = make_plan(topology, request);
    if (!outcome.ok()) return outcome.without_value<Quote>();
    return quote_of(shape(topology, outcome.value()), request);
  }

  Outcome<Plan> make_plan(const Topology& topology, const Request&) const override {
    const LiveGraph graph(topology);
    Plan plan;
    if (graph.node_count() == 2) {
      plan.cycles = {cycle_of({graph.cell(0), graph.cell(1)}, {})};
      return plan;
    }
    const auto ring = long_ring(topology, graph);
    if (ring.empty()) {
      return Refusal{"no ring passes through the live cells: their links form a tree"};
    }
    std::vector<CellId> order;
    for (const auto node : ring) order.push_back(graph.cell(node));
    auto tails = two_sets_of_tails(graph, ring);
    plan.cycles.push_back(cycle_of(order, std::move(tails[0])));
    std::reverse(order.begin(), order.end());
    plan.cycles.push_back(cycle_of(std::move(order), std::move(tails[1])));
    return plan;
  }

  static Cycle cycle_of(std::vector<CellId> order, std::vector<Hop> tails) {
    std::vector<Share> shares(order.size(), 1);
    return {std::move(order), std::move(shares), std::move(tails)};
  }
};

const RegisterPolicy<Ring> registered;

}  // namespace
}  // namespace detour
