#include <algorithm>
#include <cmath>
#include <utility>

#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"
#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// There are two flows per position along a line. The quote may miss a link that happens to be in
// every flow, which is one share; and a deeper flow than those of the outer columns.
void require_close_quote(const Topology& topology, const Plan& plan) {
  const auto quote = policy("ring2d").quote(topology, {});
  REQUIRE(quote.ok());
  const Shape real = shape(topology, plan);
  const double one_share = 1.0 / static_cast<double>(plan.flows.size());
  REQUIRE(std::abs(quote.value().time - real.link_load) <= one_share + 1e-12);
  REQUIRE(std::abs(quote.value().depth - real.depth) <= 2 + real.depth / 4);
}

}  // namespace

TEST_CASE("ring2d: every fault set of 3x4 gives a plan or a reason, and the same one twice") {
  const Mesh mesh(3, 4);
  for (std::uint32_t dead = 0; dead + 1 < (1u << 12); ++dead) {
    const Topology topology = with_dead_bits(mesh, dead);
    const auto plan = policy("ring2d").plan(topology, {});
    REQUIRE_FALSE(plan.failed());
    REQUIRE(policy("ring2d").quote(topology, {}).ok() == plan.ok());
    if (plan.ok()) {
      REQUIRE(plan.value() == policy("ring2d").plan(topology, {}).value());
      if (topology.live_count() > 1) require_close_quote(topology, plan.value());
    } else {
      REQUIRE(plan.reason() != "");
    }
  }
}

TEST_CASE("ring2d: loads on an intact mesh") {
  for (std::int32_t rows = 2; rows <= 12; ++rows) {
    for (std::int32_t cols = 2; cols <= 12; ++cols) {
      const Topology topology = intact(rows, cols);
      const Plan plan = plan_by("ring2d", topology);
      // Lines run along the shorter side, unless only the longer one has an even number of them.
      const bool pairs_of_rows =
          cols <= rows ? rows % 2 == 0 || cols % 2 == 1 : rows % 2 == 0 && cols % 2 == 1;
      const std::int32_t length = pairs_of_rows ? cols : rows;
      const std::int32_t line_count = pairs_of_rows ? rows : cols;
      CAPTURE(rows, cols);
      REQUIRE(plan.flows.size() == static_cast<std::size_t>(2 * length));
      REQUIRE(plan.total_share == plan.flows.size());
      REQUIRE(LinkLoads(topology, plan).load_max() == plan.total_share - 1);
      if (line_count % 2 == 0 && line_count > 2) {
        REQUIRE(shape(topology, plan).depth == 4 * (length - 1) + line_count - 2);
      }
      require_close_quote(topology, plan);
    }
  }
}

TEST_CASE("ring2d: links along rows carry (C-1)/C, columns 1/C") {
  const Topology topology = intact(8, 8);
  const Mesh& mesh = topology.mesh();
  const LinkLoads loads(topology, plan_by("ring2d", topology));
  for (std::int32_t row = 0; row < 8; ++row) {
    for (std::int32_t col = 1; col + 2 < 8; ++col) {
      REQUIRE(loads.load({mesh.id({row, col}), mesh.id({row, col + 1})}) == 14);
      REQUIRE(loads.load({mesh.id({row, col + 1}), mesh.id({row, col})}) == 14);
    }
  }
  for (std::int32_t row = 0; row + 1 < 8; ++row) {
    for (std::int32_t col = 0; col < 8; ++col) {
      const bool end_of_pair = row % 2 == 0 && (col == 0 || col == 7);
      REQUIRE(loads.load({mesh.id({row, col}), mesh.id({row + 1, col})}) == (end_of_pair ? 15 : 2));
    }
  }
}

TEST_CASE("ring2d: blocks of even size cost no bandwidth and little depth") {
  const Mesh mesh(12, 12);
  const std::int32_t intact_depth = shape(intact(12, 12), plan_by("ring2d", intact(12, 12))).depth;
  for (const auto& [height, width] : {std::pair{2, 2}, {4, 2}, {2, 4}, {4, 4}, {6, 2}}) {
    for (std::int32_t row = 0; row + height <= 12; ++row) {
      for (std::int32_t col = 0; col + width <= 12; ++col) {
        // One cell from the edge a block may leave cells with a single way out.
        if (row == 1 || col == 1 || row + height == 11 || col + width == 11) continue;
        const Topology topology = with_block(mesh, {row, col}, height, width);
        const Plan plan = plan_by("ring2d", topology);
        CAPTURE(height, width, row, col);
        REQUIRE(plan.flows.size() == 24);
        REQUIRE(LinkLoads(topology, plan).load_max() == 23);
        REQUIRE(shape(topology, plan).depth <= intact_depth + 4 * std::max(height, width));
        require_close_quote(topology, plan);
      }
    }
  }
}

TEST_CASE("ring2d: pairs the lines that leave fewer cells out") {
  // Two pairs of rows are hit, but one column.
  const Mesh mesh(8, 8);
  const Topology topology = with_holes(mesh, {{1, 2}, {5, 2}});
  const LinkLoads loads(topology, plan_by("ring2d", topology));
  REQUIRE(loads.load_max() == 15);
  REQUIRE(loads.load({mesh.id({3, 0}), mesh.id({4, 0})}) >= 12);  // round a pair of columns
  REQUIRE(loads.load({mesh.id({3, 0}), mesh.id({3, 1})}) <= 4);   // a rung of it
}

TEST_CASE("ring2d: rows pair up wherever two whole ones meet") {
  // Rows 0 and 3 are hit, and so are columns 0 and 3: only lines 1 and 2 are a pair.
  const Mesh mesh(4, 4);
  const Topology topology = with_holes(mesh, {{0, 0}, {3, 3}});
  const Plan plan = plan_by("ring2d", topology);
  REQUIRE(plan.flows.size() == 8);
  REQUIRE(LinkLoads(topology, plan).load_max() == 7);
}

TEST_CASE("ring2d: random holes give a plan with a close quote, or a reason") {
  std::int32_t planned_count = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const auto rows = static_cast<std::int32_t>(2 + seed % 15);
    const auto cols = static_cast<std::int32_t>(2 + seed / 7 % 17);
    const auto holes = static_cast<std::int32_t>(seed % 5);
    if (holes + 2 > rows * cols) continue;
    const Topology topology = with_random_holes(Mesh(rows, cols), holes, seed);
    const auto plan = policy("ring2d").plan(topology, {});
    REQUIRE_FALSE(plan.failed());
    if (!plan.ok()) continue;
    ++planned_count;
    CAPTURE(rows, cols, holes, seed);
    require_close_quote(topology, plan.value());
  }
  REQUIRE(planned_count > 150);
}

TEST_CASE("ring2d: crosses gaps without a whole column, and bridges parts") {
  // No column of rows 2 and 3 is whole; the way across bends.
  const Mesh mesh(6, 4);
  const Topology bent = with_holes(mesh, {{2, 0}, {2, 1}, {3, 2}, {3, 3}});
  REQUIRE(bent.parts().size() == 2);
  const Plan bridged = plan_by("ring2d", bent);
  REQUIRE(bridged.bridges.size() == 1);
  const Topology winding = with_holes(mesh, {{2, 0}, {2, 1}, {3, 3}});
  REQUIRE(winding.parts().size() == 1);
  REQUIRE(plan_by("ring2d", winding).bridges.empty());
}

TEST_CASE("ring2d: refuses where there is nothing to pair") {
  for (const Topology& topology : {intact(1, 8), intact(8, 1), with_holes(Mesh(3, 3), {{1, 1}}),
                                   with_holes(Mesh(4, 4), {{0, 0}, {1, 1}, {2, 2}, {3, 3}})}) {
    const auto refused = policy("ring2d").plan(topology, {});
    REQUIRE(refused.refused());
    REQUIRE(refused.reason() ==
            "no two rows or columns side by side, of two cells or more, are without failed cells");
    REQUIRE(policy("ring2d").quote(topology, {}).reason() == refused.reason());
  }
}
