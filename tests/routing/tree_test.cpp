// From links to a flow, and what is no tree.
#include "detour/routing/tree.hpp"

#include <stdexcept>

#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

TEST_CASE("a tree is rooted in the middle of its longest path") {
  const Topology line = drawn({"....."});
  const LiveGraph graph(line);
  const Flow flow = centred_flow(graph, {0, 1, 2, 3}, 1);
  CHECK(flow.root == 2);
  const Flow at_the_end = rooted_flow(graph, {3, 2, 1, 0}, 1, 4);
  CHECK(at_the_end.root == 4);
  CHECK(at_the_end.broadcast.front() == Hop{4, 3});
}

TEST_CASE("what is no spanning tree, or no root, is refused") {
  const Topology square = drawn({"..", "..", ".x"});
  const LiveGraph graph(square);
  REQUIRE(graph.link_count() == 5);
  CHECK_NOTHROW(centred_flow(graph, {0, 1, 2, 4}, 1));
  CHECK_THROWS_AS(centred_flow(graph, {0, 1, 2}, 1), std::invalid_argument);
  CHECK_THROWS_AS(centred_flow(graph, {0, 1, 2, 3}, 1),
                  std::invalid_argument);  // a ring, and (2,0)
  CHECK_THROWS_AS(centred_flow(graph, {0, 0, 1, 4}, 1), std::invalid_argument);
  for (const CellId root : {5, 6, -1}) {
    CHECK_THROWS_AS(rooted_flow(graph, {0, 1, 2, 4}, 1, root), std::invalid_argument);
  }
}
