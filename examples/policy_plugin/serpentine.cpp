// A routing policy of your own, as a plug-in. This one is small on purpose;
// docs/writing-a-policy.md explains the rules behind it.
//
// serpentine: one chain through all cells, row by row, with its root in the middle.
//
//     o-o-o-o      The two halves of the chain sum towards the root O, and the sum runs back the
//           |      same way.
//     o-O-o-o
//     |
//     o-o-o-o
//
// Price: time 1 (each link of the chain carries the whole payload once in each direction), depth
// about the number of cells. It refuses where a hole breaks the chain.
#include <detour/routing.hpp>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace detour;

// The live cells in the order of the chain: even rows from left to right, odd rows back.
std::vector<CellId> chain_order(const Topology& topology) {
  const Mesh& mesh = topology.mesh();
  std::vector<CellId> order;
  for (std::int32_t row = 0; row < mesh.rows(); ++row) {
    for (std::int32_t step = 0; step < mesh.cols(); ++step) {
      const std::int32_t col = row % 2 == 0 ? step : mesh.cols() - 1 - step;
      const CellId cell = mesh.id({row, col});
      if (topology.live(cell)) order.push_back(cell);
    }
  }
  return order;
}

class Serpentine final : public Policy {
 public:
  // What people type after --policy.
  std::string_view name() const override { return "serpentine"; }
  // What `detour policies` prints.
  std::string_view summary() const override { return "example: one chain through all cells"; }

 private:
  // Both functions below are called with at least two live cells. They must give the same answer to
  // the same question every time, on every rank: no clock, no random numbers, no state.

  // A quote lets `auto` compare policies without building their plans. One chain is cheap to build,
  // so this one builds it and measures it. A formula is better where plans are large.
  Outcome<Quote> make_quote(const Topology& topology, const Request& request) const override {
    const auto order = chain_order(topology);
    if (auto refusal = refuse(topology, order)) return *refusal;
    return quote_of(shape(topology, chain(order)), request);
  }

  // Whatever this returns is checked before anybody uses it: a cell left out, a hop to a dead cell
  // or a cycle is reported, never executed.
  Outcome<Plan> make_plan(const Topology& topology, const Request&) const override {
    const auto order = chain_order(topology);
    if (auto refusal = refuse(topology, order)) return *refusal;
    return chain(order);
  }

  // "Not me" is a fine answer. The reason is for people, so it names the cells.
  static std::optional<Refusal> refuse(const Topology& topology, const std::vector<CellId>& order) {
    for (std::size_t at = 0; at + 1 < order.size(); ++at) {
      if (topology.linked(order[at], order[at + 1])) continue;
      const Mesh& mesh = topology.mesh();
      return Refusal{"a hole breaks the chain between " + to_string(mesh.cell(order[at])) +
                     " and " + to_string(mesh.cell(order[at + 1]))};
    }
    return std::nullopt;
  }

  // One flow that carries everything. With several flows, `share` says how the payload is divided
  // among them: shares of 3 and 1 mean three quarters and one quarter.
  static Plan chain(const std::vector<CellId>& order) {
    const std::size_t middle = order.size() / 2;
    Flow flow;
    flow.share = 1;
    flow.root = order[middle];
    for (std::size_t at = 0; at + 1 < order.size(); ++at) {
      const CellId nearer = at < middle ? order[at + 1] : order[at];
      const CellId further = at < middle ? order[at] : order[at + 1];
      flow.reduce.push_back({further, nearer});     // child -> parent
      flow.broadcast.push_back({nearer, further});  // parent -> child
    }
    Plan plan;
    plan.flows.push_back(std::move(flow));
    return plan;
  }
};

}  // namespace

// The one function that the loader looks for.
DETOUR_POLICY_PLUGIN(Serpentine)
