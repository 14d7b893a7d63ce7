#include "bench/statistics.hpp"

#include "support/catch.hpp"

using namespace detour::tool;

TEST_CASE("bench statistics: a percentile is a value that was measured") {
  std::vector<double> hundred;
  for (int value = 100; value >= 1; --value) hundred.push_back(value);
  REQUIRE(percentile(hundred, 0.5) == 50);
  REQUIRE(percentile(hundred, 0.99) == 99);
  REQUIRE(percentile(hundred, 1) == 100);
  REQUIRE(percentile(hundred, 0) == 1);
  REQUIRE(percentile({7}, 0.5) == 7);
  REQUIRE(percentile({7}, 0.99) == 7);
  REQUIRE(percentile({3, 1, 2}, 0.5) == 2);
  REQUIRE(percentile({1, 2, 3, 40}, 0.99) == 40);
}

TEST_CASE("bench statistics: the mean") {
  REQUIRE(mean(std::vector<double>{1, 2, 6}) == Approx(3));
}

TEST_CASE("bench statistics: bandwidths are those of nccl-tests") {
  REQUIRE(algorithm_gbs(1'000'000, 1000) == Approx(1));
  REQUIRE(bus_gbs(1'000'000, 1000, 4) == Approx(1.5));
  REQUIRE(bus_gbs(1'000'000, 1000, 2) == Approx(1));
  REQUIRE(bus_gbs(1'000'000, 1000, 1) == 0);
  REQUIRE(algorithm_gbs(1'000'000, 0) == 0);
}

TEST_CASE("bench statistics: the limit of memory is one read and one write per rank") {
  // 4 ranks, 1 MB each way: 8 MB at 8 GB/s.
  REQUIRE(memory_limit_us(1'000'000, 4, 8) == Approx(1000));
}
