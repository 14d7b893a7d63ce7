// Minimum cuts against all cuts.
#include "max_flow.hpp"

#include <random>

#include "support/catch.hpp"

using namespace detour;

TEST_CASE("the source's side is a minimum cut, the smallest one") {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    const int node_count = static_cast<int>(2 + random() % 7);
    std::vector<std::vector<std::int64_t>> capacity(
        static_cast<std::size_t>(node_count),
        std::vector<std::int64_t>(static_cast<std::size_t>(node_count)));
    MaxFlow flow(node_count);
    for (int arc = 0; arc < 14; ++arc) {
      const auto from = random() % static_cast<std::size_t>(node_count);
      const auto to = random() % static_cast<std::size_t>(node_count);
      if (from == to) continue;
      const auto there = static_cast<std::int64_t>(random() % 9);
      const auto back = static_cast<std::int64_t>(random() % 2 * (random() % 9));
      flow.add_arc(static_cast<MaxFlow::Node>(from), static_cast<MaxFlow::Node>(to), there, back);
      capacity[from][to] += there;
      capacity[to][from] += back;
    }
    flow.run(0, 1);
    std::int64_t least = -1;
    std::uint32_t smallest = 0;
    for (std::uint32_t side = 0; side < (1U << node_count); ++side) {
      if ((side & 3U) != 1U) continue;  // holds the source, not the sink
      std::int64_t cut = 0;
      for (std::size_t a = 0; a < capacity.size(); ++a) {
        for (std::size_t b = 0; b < capacity.size(); ++b) {
          if (((side >> a) & 1U) && !((side >> b) & 1U)) cut += capacity[a][b];
        }
      }
      const bool smaller = __builtin_popcount(side) < __builtin_popcount(smallest);
      if (least < 0 || cut < least || (cut == least && smaller)) {
        least = cut;
        smallest = side;
      }
    }
    std::uint32_t found = 0;
    for (int node = 0; node < node_count; ++node) {
      if (flow.on_source_side(node)) found |= 1U << node;
    }
    INFO("round " << round);
    REQUIRE(found == smallest);
  }
}
