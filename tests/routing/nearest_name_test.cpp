#include "detour/routing/nearest_name.hpp"

#include <array>

#include "support/catch.hpp"

using namespace detour;

TEST_CASE("the nearest name needs the fewest slips") {
  const std::array<std::string_view, 4> names{"combs", "ring", "tree", "trees"};
  REQUIRE(nearest_name("tre", names) == "tree");
  REQUIRE(nearest_name("tres", names) == "trees");  // a letter too few, rather than a wrong one
  REQUIRE(nearest_name("rnig", names) == "ring");
  REQUIRE(nearest_name("COMBS", names) == "ring");  // no letter in common: the shortest way
  REQUIRE(nearest_name("ring", names) == "ring");
  REQUIRE(nearest_name("", names) == "ring");
  REQUIRE(nearest_name("x", {}) == "");
}
