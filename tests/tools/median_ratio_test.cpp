#include "alternation/median_ratio.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

using namespace detour::tool;

namespace {

Ratio exactly(double ratio) {
  return {.ratio = ratio, .low = ratio, .high = ratio};
}

}  // namespace

TEST_CASE("median ratio: a geometric mean is surer than what it is of") {
  const Ratio mean = geometric_mean(std::vector{exactly(1), exactly(4)});
  REQUIRE(mean.ratio == Approx(2));
  REQUIRE(mean.low == Approx(2));
  const Ratio wide{.ratio = 2, .low = 1, .high = 4};
  const Ratio of_one = geometric_mean(std::vector{wide});
  REQUIRE(of_one.low == Approx(1));
  REQUIRE(of_one.high == Approx(4));
  const Ratio of_four = geometric_mean(std::vector{wide, wide, wide, wide});
  REQUIRE(of_four.ratio == Approx(2));
  REQUIRE(of_four.low == Approx(std::sqrt(2)));
}

TEST_CASE("median ratio: medians of two jobs have the doubts of both") {
  const Ratio ratio = ratio_of({false, 100, 6, 3, 12}, {false, 100, 2, 2, 2});
  REQUIRE(ratio.ratio == Approx(3));
  REQUIRE(ratio.low == Approx(1.5));
  REQUIRE(ratio.high == Approx(6));
  REQUIRE(ratio_of({false, 100, 6, 3, 12}, {false, 100, 2, 1, 4}).low < 1.5);
}
