#include "compare/comparison.hpp"

#include "support/catch.hpp"
#include "support/five_series.hpp"

using namespace detour::tool;
using detour::test::five_series;

TEST_CASE("comparison: the fastest of a role, among those that were measured") {
  Comparison comparison{.series = five_series};
  ComparedSize size{.bytes = 4};
  size.medians = {Median{false, 1, 1, 1, 1}, {}, {}, Median{false, 1, 7, 7, 7}, {}};
  REQUIRE(fastest(comparison, size, Role::peer) == 3U);
  REQUIRE(!fastest(comparison, size, Role::limit));
  size.medians[2] = Median{false, 1, 5, 5, 5};
  REQUIRE(fastest(comparison, size, Role::peer) == 2U);
  size.medians[2]->of_trial = true;
  REQUIRE(fastest(comparison, size, Role::peer) == 3U);
  REQUIRE(detour_median(comparison, size, Buffers::any)->us == 1);
  REQUIRE(!detour_median(comparison, size, Buffers::shared));
}

TEST_CASE("comparison: exchanges of different buffers are apart") {
  Comparison comparison{.series = {{"exchange", Role::exchange, Buffers::any},
                                   {"mapped", Role::exchange, Buffers::shared}}};
  ComparedSize size{.bytes = 4};
  size.medians = {Median{false, 1, 4, 4, 4}, Median{false, 1, 3, 3, 3}};
  REQUIRE(fastest(comparison, size, Role::exchange) == 0U);
  REQUIRE(fastest(comparison, size, Role::exchange, Buffers::shared) == 1U);
}
