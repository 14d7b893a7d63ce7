// trees: packed spanning trees, on any connected live graph.
//
//     o-o-o-o     o o-o-o     o-o-o o      K spanning trees that together use every link about
//     |   |       | | |       |   | |      equally often. Each carries 1/K of the payload, up to its
//     o-x o-o     o-x o-o     o x o-o      root and down again, so a link that is in c of them
//     |     |     |     |     |   |        carries c/K each way.
//     o-o-o-o     o-o-o-o     o-o-o-o
//
// Start from combs (which are optimal on an intact mesh), patch them round the holes, then exchange
// links between trees until the busiest link can't be relieved any more: see tree_packing.cpp. Where
// that ends, a partition of the cells has been found that proves that no K trees do better, and often
// it tells a number of trees with which the limit T* is met exactly: see pack_trees.cpp.
//
// Price: time T* exactly, or about 1 % above it where all of the mesh is equally tight. Depth:
// somewhat more than that of combs, since trees that share links fairly have to wind: on 32x32 with
// 8 holes about 100 hops, up and down together, against 94.
#include <algorithm>
#include <map>

#include "breadth_first.hpp"
#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"
#include "pack_trees.hpp"

namespace detour {
namespace {

class Trees final : public Policy {
 public:
  std::string_view name() const override { return "trees"; }
  std::string_view summary() const override {
    return "packed spanning trees: at or next to the limit round any holes";
  }

 private:
  // The time is a lower bound, so that `auto` builds this plan wherever it might be the best: what the
  // cells taken one by one, and the worst connected of them, prove, in trees as shallow as there are.
  // The depth is what to expect; it decides between equals, and combs are a little less deep.
  Outcome<Quote> make_quote(const Topology& topology, const Request& request) const override {
    const LiveGraph graph(topology);
    std::size_t degree_min = graph.edges(0).size();
    for (LiveGraph::Node node = 1; node < graph.node_count(); ++node) {
      degree_min = std::min(degree_min, graph.edges(node).size());
    }
    const double time = std::max((graph.node_count() - 1.0) / graph.link_count(),
                                 1.0 / static_cast<double>(degree_min));
    const auto depth_min = 2 * breadth_first(graph, middle(graph)).height();
    const Shape shape{.link_load = time,
                      .cell_load = 2 * (graph.node_count() - 1.0) / graph.node_count(),
                      .flow_share = 1.0 / tree_count_max(request),
                      .depth = depth_min,
                      .distance = depth_min};
    const Mesh& mesh = topology.mesh();
    return Quote{predicted_time(shape, request),
                 mesh.rows() + mesh.cols() + std::max(mesh.rows(), mesh.cols())};
  }

  Outcome<Plan> make_plan(const Topology& topology, const Request& request) const override {
    const LiveGraph graph(topology);
    if (tree_count_max(request) < 1) return Refusal{"at least one tree is needed"};
    auto packed = pack_trees(graph, topology.mesh(), tree_count_max(request));
    packed.packing.flatten();
    std::map<TreeLinks, Share> shares;
    for (std::int32_t tree = 0; tree < packed.packing.tree_count(); ++tree) {
      ++shares[packed.packing.links(tree)];
    }
    Plan plan;
    for (const auto& [links, share] : shares) {
      plan.flows.push_back(centred_flow(graph, links, share));
    }
    return plan;
  }

  static std::int32_t tree_count_max(const Request& request) {
    return request.tree_count_max.value_or(usual_tree_count_max);
  }
};

const RegisterPolicy<Trees> registered;

}  // namespace
}  // namespace detour
