// tree: one shallow tree, for small messages.
//
//     o o o o o      Breadth-first from a cell in the middle: every cell is as few hops from the
//     | | | | |      root as the holes allow, so a small message pays the least latency there is,
//     o-o-O-o-o      up the tree and down again.
//     | | | | |
//     o o o o o
//
// Price: time 1 (each link of the tree carries the whole payload once in each direction); depth
// twice the radius of the live graph, R/2 + C/2 each way on an intact mesh.
#include "detour/routing/tree.hpp"
#include "breadth_first.hpp"
#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"

namespace detour {
namespace {

class Tree final : public Policy {
 public:
  std::string_view name() const override { return "tree"; }
  std::string_view summary() const override {
    return "one shallow tree: the fewest hops, for small messages";
  }

 private:
  Outcome<Quote> make_quote(const Topology& topology, const Request& request) const override {
    return quote_of(shape(topology, one_tree(topology)), request);
  }

  Outcome<Plan> make_plan(const Topology& topology, const Request&) const override {
    return one_tree(topology);
  }

  static Plan one_tree(const Topology& topology) {
    const LiveGraph graph(topology);
    const auto root = middle(graph);
    Plan plan;
    plan.flows = {rooted_flow(graph, breadth_first(graph, root).links(), 1, graph.cell(root))};
    return plan;
  }
};

const RegisterPolicy<Tree> registered;

}  // namespace
}  // namespace detour
