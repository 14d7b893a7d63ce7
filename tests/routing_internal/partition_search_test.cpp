// The two ways to the limit: minimum cuts from a standing start, and packing.
#include "partition_search.hpp"

#include "pack_trees.hpp"
#include "support/catch.hpp"
#include "support/meshes.hpp"

using namespace detour;
using namespace detour::test;

namespace {

Bound by_cuts_alone(const Topology& topology) {
  std::vector<std::vector<CellId>> apart;
  for (const CellId cell : topology.live_cells()) apart.push_back({cell});
  return best_bound(topology, LiveGraph(topology), certify(topology, std::move(apart)));
}

}  // namespace

TEST_CASE("minimum cuts and packing find the same limit") {
  std::mt19937 random(17);
  int cuts_improved_count = 0;
  for (int round = 0; round < 150; ++round) {
    const Mesh mesh(static_cast<int>(2 + random() % 9), static_cast<int>(2 + random() % 9));
    const auto hole_count = static_cast<std::int32_t>(random() % 4) * mesh.cell_count() / 20;
    const Topology topology = with_random_holes(mesh, hole_count, random);
    if (topology.parts().size() > 1) continue;
    const LiveGraph graph(topology);
    const Bound cuts = by_cuts_alone(topology);
    const auto packed = pack_trees(graph, topology.mesh(), usual_tree_count_max);
    INFO("round " << round << ": cuts prove " << cuts.time());
    REQUIRE(cuts.exact);
    // What packing proves is never more, and its trees never need less.
    REQUIRE(packed.proven.parts * cuts.link_count <=
            cuts.part_count_minus_one * packed.proven.links);
    REQUIRE(packed.packing.load_max() * cuts.link_count >=
            packed.packing.tree_count() * cuts.part_count_minus_one);
    REQUIRE(limit(topology).time() == Approx(cuts.time()).epsilon(1e-12));
    if (cuts.partition.size() < static_cast<std::size_t>(topology.live_count()))
      ++cuts_improved_count;
  }
  CHECK(cuts_improved_count > 30);
}

TEST_CASE("a bound that is not the best is improved, and only then called exact") {
  const Topology topology = with_holes(Mesh(8, 8), {{0, 3}});
  CHECK_FALSE(certify(topology, {topology.parts()[0]}).exact);
  const Bound bound = by_cuts_alone(topology);
  CHECK(bound.time() == Approx(0.6));
  CHECK(bound.exact);
}
