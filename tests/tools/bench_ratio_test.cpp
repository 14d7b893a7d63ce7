#include "bench/ratio.hpp"

#include <random>
#include <vector>

#include "support/catch.hpp"

using namespace detour::tool;

namespace {

// Times of two calls made in turn, on a machine whose speed comes and goes, the first so many times as long.
struct Times {
  std::vector<double> own;
  std::vector<double> other;
};

Times noisy(double ratio, std::size_t round_count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(0.8, 1.2);
  Times times;
  for (std::size_t round = 0; round < round_count; ++round) {
    const double slowness = round / 50 % 2 == 0 ? 100 : 130;
    times.own.push_back(slowness * ratio * noise(random));
    times.other.push_back(slowness * noise(random));
  }
  return times;
}

}  // namespace

TEST_CASE("bench ratio: of the medians, and the difference between them") {
  const Ratio ratio = estimate_ratio(std::vector<double>{3, 3, 3}, std::vector<double>{2, 2, 2});
  REQUIRE(ratio.ratio == Approx(1.5));
  REQUIRE(ratio.low == Approx(1.5));
  REQUIRE(ratio.high == Approx(1.5));
  REQUIRE(ratio.difference_ns == Approx(1000));
  const std::vector<double> one{2};
  REQUIRE(estimate_ratio(one, one).high == 1);
  REQUIRE(estimate_ratio(one, std::vector<double>{0}).ratio == 1);
}

TEST_CASE(
    "bench ratio: the interval nearly always has the truth in it, and is no wider than need be",
    "[exhaustive]") {
  int hit_count = 0;
  constexpr int trial_count = 100;
  for (unsigned seed = 0; seed < trial_count; ++seed) {
    const Times times = noisy(1.05, 400, seed);
    const Ratio ratio = estimate_ratio(times.own, times.other);
    REQUIRE(ratio.low <= ratio.ratio);
    REQUIRE(ratio.ratio <= ratio.high);
    REQUIRE(ratio.high - ratio.low < 0.2);
    if (ratio.low <= 1.05 && 1.05 <= ratio.high) ++hit_count;
  }
  REQUIRE(hit_count >= 88);
}

TEST_CASE("bench ratio: more rounds, a narrower interval, and the same rounds, the same one") {
  const Times few = noisy(1, 100, 1);
  const Times many = noisy(1, 10'000, 1);
  const Ratio wide = estimate_ratio(few.own, few.other);
  const Ratio narrow = estimate_ratio(many.own, many.other);
  REQUIRE(narrow.high - narrow.low < (wide.high - wide.low) / 3);
  REQUIRE(estimate_ratio(few.own, few.other).low == wide.low);
}

TEST_CASE("bench ratio: a target is reached or missed only by the whole interval") {
  REQUIRE(judge({1.0, 0.9, 1.03, 0}, 1.03) == Verdict::reached);
  REQUIRE(judge({1.0, 0.9, 1.04, 0}, 1.03) == Verdict::unclear);
  REQUIRE(judge({1.1, 1.02, 1.2, 0}, 1.03) == Verdict::unclear);
  REQUIRE(judge({1.1, 1.04, 1.2, 0}, 1.03) == Verdict::missed);
  REQUIRE(to_text(Verdict::missed) == "missed");
}

TEST_CASE("bench ratio: what fault tolerance may cost") {
  REQUIRE(in_place_traffic_ratio(2) == Approx(3.5 / 2.5));
  REQUIRE(in_place_traffic_ratio(8) == Approx(25.0 / 23));
  REQUIRE(allowed_fault_tolerance_ratio(64 << 10, false, 8) == Approx(1.03));
  REQUIRE(allowed_fault_tolerance_ratio(64 << 10, true, 8) == Approx(1.05 * 25 / 23));
  REQUIRE(allowed_fault_tolerance_ratio(1024, true, 8) == Approx(1.1));
  // Twice as long, but by no more than 100 ns.
  REQUIRE(judge_fault_tolerance({2, 1.9, 2.1, 100}, 1024, false, 8) == Verdict::reached);
  REQUIRE(judge_fault_tolerance({2, 1.9, 2.1, 101}, 1024, false, 8) == Verdict::missed);
  REQUIRE(judge_fault_tolerance({2, 1.9, 2.1, 50}, 64 << 10, false, 8) == Verdict::missed);
}
