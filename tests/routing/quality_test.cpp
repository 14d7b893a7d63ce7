// How close plans come to the limit.
#include <algorithm>
#include <random>

#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

TEST_CASE("combs meet the limit on intact meshes of any size and parity") {
  for (std::int32_t rows = 1; rows <= 9; ++rows) {
    for (std::int32_t cols = 1; cols <= 9; ++cols) {
      const Mesh mesh(rows, cols);
      const Topology topology(mesh, FaultSet(mesh));
      if (mesh.cell_count() == 1) continue;
      const auto plan = policy("combs").plan(topology, {});
      REQUIRE(plan.ok());
      const LinkLoads loads(topology, plan.value());
      const Bound bound = limit(topology);
      INFO(rows << "x" << cols);
      REQUIRE(loads.load_max() * static_cast<std::uint64_t>(bound.link_count) ==
              plan.value().total_share * static_cast<std::uint64_t>(bound.part_count_minus_one));
      const auto quote = policy("combs").quote(topology, {});
      REQUIRE(quote.value().depth == shape(topology, plan.value()).depth);
      REQUIRE(quote.value().time == Approx(bound.time()));
    }
  }
}

TEST_CASE("auto is within 3 % of the limit round random holes, and mostly meets it",
          "[exhaustive]") {
  std::mt19937 random(1046);
  for (const std::int32_t side : {8, 12, 16, 24, 32}) {
    std::vector<double> excess;
    while (excess.size() < 60) {
      const Mesh mesh(side, side);
      const auto percent = static_cast<std::int32_t>(1 + random() % 10);
      const std::int32_t hole_count = std::max(1, mesh.cell_count() * percent / 100);
      const Topology topology = with_random_holes(mesh, hole_count, random);
      if (topology.parts().size() > 1) continue;
      const auto plan = policy("auto").plan(topology, {});
      REQUIRE(plan.ok());
      const Bound bound = limit(topology);
      REQUIRE(bound.exact);
      excess.push_back(shape(topology, plan.value()).link_load / bound.time() - 1);
    }
    std::sort(excess.begin(), excess.end());
    WARN(side << "x" << side << ": above the limit by " << 100 * excess[excess.size() / 2]
              << " % at the median, " << 100 * excess.back() << " % at most");
    CHECK(excess.back() <= 0.03);
    CHECK(excess[excess.size() / 2] <= 0.005);
  }
}
