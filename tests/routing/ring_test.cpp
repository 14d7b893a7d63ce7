#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"
#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

std::size_t off_ring_count(const Plan& plan) {
  return plan.cycles.front().tails.size();
}

std::int32_t colour_surplus(const Topology& topology) {
  std::int32_t surplus = 0;
  for (const CellId id : topology.live_cells()) {
    const Cell cell = topology.mesh().cell(id);
    surplus += (cell.row + cell.col) % 2 == 0 ? 1 : -1;
  }
  return std::abs(surplus);
}

// The quote is what the plan costs, not an estimate.
void require_exact_quote(const Topology& topology, const Plan& plan) {
  const auto quote = policy("ring").quote(topology, {});
  REQUIRE(quote.ok());
  const Shape real = shape(topology, plan);
  REQUIRE(quote.value().time == real.link_load);
  REQUIRE(quote.value().depth == real.depth);
}

}  // namespace

TEST_CASE("ring: written out, a sum is complete before it is passed on") {
  const Topology topology = drawn({"......", "..xxxx"});
  for_each_flow(plan_by("ring", topology), [](const Flow& flow) {
    for (auto hop = flow.reduce.begin(); hop != flow.reduce.end(); ++hop) {
      REQUIRE(std::none_of(hop, flow.reduce.end(),
                           [hop](const Hop& later) { return later.to == hop->from; }));
    }
  });
}

TEST_CASE("ring: every fault set of 3x4 gives a plan or a reason, and the same one twice") {
  const Mesh mesh(3, 4);
  for (std::uint32_t dead = 0; dead + 1 < (1u << 12); ++dead) {
    const Topology topology = with_dead_bits(mesh, dead);
    const auto plan = policy("ring").plan(topology, {});
    REQUIRE_FALSE(plan.failed());
    REQUIRE(policy("ring").quote(topology, {}).ok() == plan.ok());
    if (plan.ok()) {
      REQUIRE(plan.value() == policy("ring").plan(topology, {}).value());
    } else {
      REQUIRE(plan.reason() != "");
    }
  }
}

TEST_CASE("ring: an intact mesh with an even side has a ring through all cells") {
  for (std::int32_t rows = 2; rows <= 9; ++rows) {
    for (std::int32_t cols = 2; cols <= 9; ++cols) {
      if (rows % 2 != 0 && cols % 2 != 0) continue;
      const Topology topology = intact(rows, cols);
      const Plan plan = plan_by("ring", topology);
      REQUIRE(off_ring_count(plan) == 0);
      const auto n = static_cast<std::uint64_t>(rows * cols);
      REQUIRE(plan.total_share == 2 * n);
      REQUIRE(LinkLoads(topology, plan).load_max() == 2 * (n - 1));
      REQUIRE(shape(topology, plan).depth == 2 * (rows * cols - 1));
      require_exact_quote(topology, plan);
    }
  }
}

TEST_CASE("ring: an odd mesh has one cell too many, and it costs nothing") {
  for (const auto& [rows, cols] : {std::pair{3, 3}, {3, 5}, {5, 3}, {5, 5}, {7, 9}, {15, 15}}) {
    const Topology topology = intact(rows, cols);
    const Plan plan = plan_by("ring", topology);
    REQUIRE(off_ring_count(plan) == 1);
    // Its two links carry half of the payload each, so the ring stays the bottleneck.
    const auto m = static_cast<std::uint64_t>(rows * cols - 1);
    REQUIRE(LinkLoads(topology, plan).load_max() == 2 * (m - 1));
    const Hop one = plan.cycles[0].tails[0];
    const Hop other = plan.cycles[1].tails[0];
    REQUIRE(one.from == other.from);
    REQUIRE(one.to != other.to);
    REQUIRE(LinkLoads(topology, plan).load(one) == m);
  }
}

TEST_CASE("ring: the second cycle is the first one backwards") {
  const Plan plan = plan_by("ring", with_holes(Mesh(6, 6), {{2, 3}}));
  REQUIRE(plan.cycles.size() == 2);
  auto order = plan.cycles[0].order;
  std::reverse(order.begin(), order.end());
  REQUIRE(order == plan.cycles[1].order);
}

TEST_CASE("ring: passes round aligned blocks through every live cell") {
  const Mesh mesh(8, 12);
  for (std::int32_t row = 0; row < 8; row += 2) {
    for (std::int32_t col = 0; col < 12; col += 2) {
      REQUIRE(off_ring_count(plan_by("ring", with_block(mesh, {row, col}, 2, 2))) == 0);
      if (row + 4 <= 8) {
        REQUIRE(off_ring_count(plan_by("ring", with_block(mesh, {row, col}, 4, 2))) == 0);
      }
      if (col + 4 <= 12) {
        REQUIRE(off_ring_count(plan_by("ring", with_block(mesh, {row, col}, 2, 4))) == 0);
      }
    }
  }
  REQUIRE(off_ring_count(plan_by(
              "ring",
              with_holes(mesh,
                         {{2, 2}, {2, 3}, {3, 2}, {3, 3}, {4, 8}, {4, 9}, {5, 8}, {5, 9}}))) == 0);
}

TEST_CASE("ring: one dead cell of an even mesh leaves one cell off the ring") {
  for (const std::int32_t side : {8, 16}) {
    const Mesh mesh(side, side);
    for (CellId dead = 0; dead < mesh.cell_count(); ++dead) {
      const Topology topology = with_holes(mesh, {mesh.cell(dead)});
      const Plan plan = plan_by("ring", topology);
      CAPTURE(side, dead);
      REQUIRE(off_ring_count(plan) == 1);
      // Beside a corner it is the corner, which has one way out: all data go that way.
      bool pendant = false;
      for (const CellId neighbour : mesh.neighbours(dead)) {
        pendant = pendant || mesh.neighbours(neighbour).size() == 2;
      }
      const auto m = static_cast<std::uint64_t>(topology.live_count() - 1);
      REQUIRE(LinkLoads(topology, plan).load_max() == (pendant ? 2 * m : 2 * (m - 1)));
    }
  }
}

TEST_CASE("ring: few cells stay off it on meshes with random holes") {
  struct Row {
    std::int32_t side, hole_count;
    double off_ring_max;  // on average, beyond those that the colours force
  };
  for (const auto& [side, hole_count, off_ring_max] :
       {Row{8, 2, 0.5}, {8, 4, 1.3}, {16, 4, 0.4}, {16, 8, 0.9}, {32, 4, 0.15}, {32, 8, 0.3}}) {
    double beyond_surplus = 0;
    constexpr std::uint32_t trials = 50;
    for (std::uint32_t seed = 0; seed < trials; ++seed) {
      const Topology topology = with_random_holes(Mesh(side, side), hole_count, seed);
      beyond_surplus += static_cast<double>(off_ring_count(plan_by("ring", topology))) -
                        static_cast<double>(colour_surplus(topology));
    }
    CAPTURE(side, hole_count);
    CHECK(beyond_surplus / trials <= off_ring_max);
  }
}

TEST_CASE("ring: a tail has one neighbour one way round and another one the other way") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Topology topology = with_random_holes(Mesh(8, 8), 6, seed);
    const Plan plan = plan_by("ring", topology);
    const std::set<CellId> ring_cells(plan.cycles[0].order.begin(), plan.cycles[0].order.end());
    for (std::size_t at = 0; at < plan.cycles[0].tails.size(); ++at) {
      const Hop one = plan.cycles[0].tails[at];
      const Hop other = plan.cycles[1].tails[at];
      std::size_t way_count = 0;
      for (const CellId neighbour : topology.mesh().neighbours(one.from)) {
        way_count += ring_cells.count(neighbour);
      }
      REQUIRE(one.from == other.from);
      if (way_count > 0) REQUIRE((one.to == other.to) == (way_count == 1));
    }
  }
}

TEST_CASE("ring: starts from any cycle where no 2x2 square is whole") {
  const Plan plan = plan_by("ring", with_holes(Mesh(3, 3), {{1, 1}}));
  REQUIRE(plan.cycles[0].order.size() == 8);
  REQUIRE(off_ring_count(plan) == 0);
  // A square that is whole, on a longer way round that is one cell wide.
  const Plan corridor = plan_by(
      "ring", with_holes(Mesh(5, 6),
                         {{1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 2}, {2, 3}, {3, 1}, {3, 2}, {3, 3}}));
  REQUIRE(corridor.cycles[0].order.size() >= 18);
}

TEST_CASE("ring: two cells are a ring, a line of three is not") {
  const Topology pair = intact(1, 2);
  const Plan plan = plan_by("ring", pair);
  REQUIRE(plan.cycles.size() == 1);
  REQUIRE(shape(pair, plan).link_load == 1);
  require_exact_quote(pair, plan);

  for (const Topology& line :
       {intact(1, 3), intact(7, 1), with_holes(Mesh(2, 3), {{0, 0}, {0, 2}})}) {
    const auto refused = policy("ring").plan(line, {});
    REQUIRE(refused.refused());
    REQUIRE(refused.reason() == "no ring passes through the live cells: their links form a tree");
    REQUIRE(policy("ring").quote(line, {}).reason() == refused.reason());
  }
}

TEST_CASE("ring: a part that is cut off hangs on the ring by a bridge") {
  const Topology topology = with_holes(Mesh(4, 6), {{0, 4}, {1, 4}, {2, 4}, {3, 4}});
  const Plan plan = plan_by("ring", topology);
  REQUIRE(plan.cycles[0].order.size() == 16);
  REQUIRE(off_ring_count(plan) == 4);
  REQUIRE(plan.bridges.size() == 1);
  require_exact_quote(topology, plan);

  const Topology forbidden(topology.mesh(), topology.faults(), Connectivity::mesh, false);
  REQUIRE(policy("ring").plan(forbidden, {}).refused());
}

TEST_CASE("ring: a complete topology gets the ring of its mesh") {
  const Topology mesh = with_holes(Mesh(4, 4), {{1, 2}});
  const Topology complete(mesh.mesh(), mesh.faults(), Connectivity::complete);
  REQUIRE(plan_by("ring", complete) == plan_by("ring", mesh));
}
