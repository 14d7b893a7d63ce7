// The flows of reduce, broadcast, allgather and reduce-scatter, run over the simulated network: every rank gets
// what it is to get, every contribution once, and nothing else is written.
#include "collectives/derived_flows.hpp"

#include <numeric>
#include <random>

#include "random_cells.hpp"
#include "simulated_run.hpp"
#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

using Bytes = std::vector<std::byte>;

// One policy's plan on one mesh, with some ranks in each cell.
struct Scene {
  const Plan& plan;
  const CellMap& cells;
  std::uint64_t chunk_elements;
  std::uint32_t seed;

  std::int32_t rank_count() const { return cells.rank_count(); }
  Census census() const { return Census(rank_count()); }
};

void check_runs(const Scene& scene, const std::vector<RankFlow>& flows,
                const std::vector<Buffers>& buffers, std::uint64_t element_count) {
  REQUIRE(find_flow_defect(flows, scene.rank_count(), element_count).value_or("") == "");
  const Census census = scene.census();
  REQUIRE(run_flows(flows, census, buffers, scene.chunk_elements, scene.seed));
}

// Only the root has an output.
void check_reduce(const Scene& scene, std::uint64_t element_count, Rank root) {
  const Census census = scene.census();
  std::vector<Bytes> inputs;
  for (Rank rank = 0; rank < scene.rank_count(); ++rank) {
    inputs.push_back(census.contribution(rank, element_count));
  }
  Bytes output(inputs[0].size());
  std::vector<Buffers> buffers;
  for (const Bytes& input : inputs) buffers.push_back({input.data(), nullptr});
  buffers[static_cast<std::size_t>(root)].output = output.data();
  check_runs(scene, reduce_flows(expand_plan(scene.plan, scene.cells, element_count), root),
             buffers, element_count);
  REQUIRE(output == census.total(element_count));
}

void check_broadcast(const Scene& scene, std::uint64_t element_count, Rank root) {
  const Census census = scene.census();
  std::vector<Bytes> data(static_cast<std::size_t>(scene.rank_count()),
                          Bytes(element_count * census.element_bytes()));
  data[static_cast<std::size_t>(root)] = census.contribution(root, element_count);
  std::vector<Buffers> buffers;
  for (Bytes& each : data) buffers.push_back({each.data(), each.data()});
  check_runs(scene, broadcast_flows(expand_plan(scene.plan, scene.cells, element_count), root),
             buffers, element_count);
  for (const Bytes& each : data) REQUIRE(each == census.contribution(root, element_count));
}

// Each rank has its own block in place, and nothing of the others'.
void check_allgather(const Scene& scene, const std::vector<std::uint64_t>& counts) {
  const Census census = scene.census();
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::vector<Bytes> data(counts.size(), Bytes(total * census.element_bytes()));
  Bytes expected;
  for (std::size_t owner = 0; owner < counts.size(); ++owner) {
    const Bytes block = census.contribution(static_cast<Rank>(owner), counts[owner]);
    std::copy(block.begin(), block.end(),
              data[owner].begin() + static_cast<std::ptrdiff_t>(expected.size()));
    expected.insert(expected.end(), block.begin(), block.end());
  }
  std::vector<Buffers> buffers;
  for (Bytes& each : data) buffers.push_back({each.data(), each.data()});
  check_runs(scene, allgather_flows(all_trees(scene.plan, scene.cells), counts), buffers, total);
  for (const Bytes& each : data) REQUIRE(each == expected);
}

// Each rank has room for its own block, and for nothing else.
void check_reduce_scatter(const Scene& scene, const std::vector<std::uint64_t>& counts) {
  const Census census = scene.census();
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::vector<Bytes> inputs;
  std::vector<Bytes> outputs;
  std::vector<Buffers> buffers;
  std::size_t first_byte = 0;
  for (std::size_t owner = 0; owner < counts.size(); ++owner) {
    inputs.push_back(census.contribution(static_cast<Rank>(owner), total));
    outputs.emplace_back(counts[owner] * census.element_bytes());
    buffers.push_back({inputs.back().data(), outputs.back().data(), first_byte});
    first_byte += outputs.back().size();
  }
  check_runs(scene, reduce_scatter_flows(all_trees(scene.plan, scene.cells), counts), buffers,
             total);
  for (std::size_t owner = 0; owner < counts.size(); ++owner) {
    REQUIRE(outputs[owner] == census.total(counts[owner]));
  }
}

void check_all(const Scene& scene, std::mt19937& random) {
  const auto rank_count = static_cast<std::uint32_t>(scene.rank_count());
  const std::uint64_t element_count = random() % 30;
  const auto root = static_cast<Rank>(random() % rank_count);
  INFO(element_count << " elements in chunks of " << scene.chunk_elements << ", root " << root);
  check_reduce(scene, element_count, root);
  check_broadcast(scene, element_count, root);
  std::vector<std::uint64_t> counts;
  for (std::uint32_t rank = 0; rank < rank_count; ++rank) {
    counts.push_back(random() % 3 == 0 ? 0 : random() % 8);
  }
  check_allgather(scene, counts);
  check_reduce_scatter(scene, counts);
}

// On so many random meshes with holes, every policy that has a plan for them.
template <class MakeCells>
void check_policies(std::uint32_t mesh_count, MakeCells make_cells) {
  std::mt19937 random(mesh_count);
  std::uint32_t plan_count = 0;
  for (std::uint32_t seed = 0; seed < mesh_count; ++seed) {
    const Mesh mesh(static_cast<int>(1 + random() % 4), static_cast<int>(1 + random() % 4));
    const auto hole_count = static_cast<std::int32_t>(random() % 3) % mesh.cell_count();
    const Topology topology = with_random_holes(mesh, hole_count, random);
    const CellMap cells = make_cells(topology, random);
    for (const Policy* candidate : PolicyRegistry::instance().all()) {
      const auto plan = candidate->plan(topology, {});
      if (!plan.ok()) continue;
      ++plan_count;
      INFO("seed " << seed << " " << candidate->name() << " on " << mesh.rows() << "x"
                   << mesh.cols() << " with " << cells.rank_count() << " ranks");
      check_all({plan.value(), cells, 1 + random() % 5, seed}, random);
    }
  }
  REQUIRE(plan_count > mesh_count);
}

std::vector<Rank> roots_of(const std::vector<RankFlow>& flows) {
  std::vector<Rank> roots;
  for (const RankFlow& flow : flows) roots.push_back(flow.root);
  return roots;
}

}  // namespace

TEST_CASE("derived flows of every policy bring every rank what it is to get") {
  check_policies(60, [](const Topology& topology, std::mt19937&) {
    return CellMap::one_rank_per_cell(topology);
  });
}

TEST_CASE("derived flows among cells of several ranks bring every rank what it is to get") {
  check_policies(40, random_cells);
}

TEST_CASE("derived flows have the root that was asked for, and none for empty blocks") {
  const Topology topology = intact(2, 2);
  const Plan plan = plan_by("auto", topology);
  const CellMap cells = CellMap::one_rank_per_cell(topology);
  for (const RankFlow& flow : reduce_flows(expand_plan(plan, cells, 10), 2)) {
    REQUIRE(flow.root == 2);
    REQUIRE_FALSE(flow.has_broadcast);
  }
  for (const RankFlow& flow : broadcast_flows(expand_plan(plan, cells, 10), 3)) {
    REQUIRE(flow.root == 3);
    REQUIRE_FALSE(flow.has_reduce);
  }
  const std::vector<std::uint64_t> counts{0, 4, 0, 1};
  const std::vector<Rank> owners{1, 3};
  REQUIRE(roots_of(allgather_flows(all_trees(plan, cells), counts)) == owners);
  REQUIRE(roots_of(reduce_scatter_flows(all_trees(plan, cells), counts)) == owners);
  const std::vector<std::uint64_t> nothing(4, 0);
  REQUIRE(allgather_flows(all_trees(plan, cells), nothing).empty());
}

TEST_CASE("a plan whose trees get no element each still has all of them for blocks") {
  const Topology topology = intact(3, 3);
  const CellMap cells = CellMap::one_rank_per_cell(topology);
  const Plan plan = plan_by("ring", topology);
  REQUIRE(all_trees(plan, cells).size() == flow_count(plan));
  REQUIRE(expand_plan(plan, cells, 1).size() < flow_count(plan));
}
