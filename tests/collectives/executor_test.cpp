// Programs and the executor over the simulated network: every contribution once in every result,
// whatever the plan, the sizes, and the order in which messages arrive.
#include "collectives/executor.hpp"

#include <random>

#include "random_cells.hpp"
#include "simulated_run.hpp"
#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

void check_allreduce(const std::vector<RankFlow>& flows, std::int32_t rank_count,
                     std::uint64_t element_count, std::uint64_t chunk_elements,
                     std::uint32_t seed) {
  REQUIRE(find_flow_defect(flows, rank_count, element_count).value_or("") == "");
  const Census census(rank_count);
  std::vector<std::vector<std::byte>> data;
  for (Rank rank = 0; rank < rank_count; ++rank) {
    data.push_back(census.contribution(rank, element_count));
  }
  // All ranks in place.
  std::vector<Buffers> buffers;
  for (auto& each : data) buffers.push_back({each.data(), each.data()});
  REQUIRE(run_flows(flows, census, buffers, chunk_elements, seed));
  for (const auto& each : data) REQUIRE(each == census.total(element_count));
}

}  // namespace

TEST_CASE("every policy's plan sums every contribution once, under any order of messages") {
  std::mt19937 random(31);
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const Mesh mesh(static_cast<int>(1 + random() % 4), static_cast<int>(1 + random() % 4));
    const auto hole_count = static_cast<std::int32_t>(random() % 3) % mesh.cell_count();
    const Topology topology = with_random_holes(mesh, hole_count, random);
    const CellMap cells = CellMap::one_rank_per_cell(topology);
    for (const Policy* candidate : PolicyRegistry::instance().all()) {
      const auto plan = candidate->plan(topology, {});
      if (!plan.ok()) continue;
      const std::uint64_t element_count = random() % 40;
      const std::uint64_t chunk_elements = 1 + random() % 5;
      INFO("seed " << seed << " " << candidate->name() << " on " << mesh.rows() << "x"
                   << mesh.cols() << ", " << element_count << " elements in chunks of "
                   << chunk_elements);
      check_allreduce(expand_plan(plan.value(), cells, element_count), topology.live_count(),
                      element_count, chunk_elements, seed);
    }
  }
}

TEST_CASE("cells of several ranks sum every contribution once") {
  std::mt19937 random(77);
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Mesh mesh(static_cast<int>(1 + random() % 3), static_cast<int>(1 + random() % 3));
    const Topology topology = with_random_holes(
        mesh, static_cast<std::int32_t>(random() % 2) % mesh.cell_count(), random);
    const CellMap cells = random_cells(topology, random);
    const std::uint64_t element_count = random() % 50;
    INFO("seed " << seed);
    check_allreduce(expand_plan(plan_by("auto", topology), cells, element_count),
                    cells.rank_count(), element_count, 1 + random() % 4, seed);
  }
}

TEST_CASE("a large mesh with holes and many chunks in flight") {
  const Topology topology = with_block(Mesh(6, 6), {2, 2}, 2, 2);
  for (const char* name : {"trees", "ring", "ring2d", "tree"}) {
    INFO(name);
    check_allreduce(expand_plan(plan_by(name, topology), CellMap::one_rank_per_cell(topology), 700),
                    topology.live_count(), 700, 3, 5);
  }
}
