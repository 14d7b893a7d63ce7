#include "collectives/chunking.hpp"

#include <random>

#include "support/catch.hpp"

using namespace detour;

TEST_CASE("a payload is cut without gaps, each part within one element of its share") {
  std::mt19937_64 random(8);
  for (int round = 0; round < 500; ++round) {
    std::vector<Share> shares(1 + random() % 20);
    std::uint64_t total = 0;
    for (Share& share : shares) total += share = static_cast<Share>(1 + random() % 1000);
    const std::uint64_t count = random() % (round % 2 == 0 ? 50 : 1'000'000'000'000);
    const auto ranges = cut_by_shares(count, shares);
    REQUIRE(ranges.size() == shares.size());
    std::uint64_t next = 0;
    for (std::size_t at = 0; at < shares.size(); ++at) {
      REQUIRE(ranges[at].first == next);
      next = ranges[at].end();
      const long double exact = static_cast<long double>(count) * shares[at] / total;
      REQUIRE(std::abs(static_cast<long double>(ranges[at].count) - exact) < 1.0L);
    }
    REQUIRE(next == count);
  }
}

TEST_CASE("cutting does not overflow") {
  const std::vector<Share> shares{4'000'000'000, 1};
  const auto ranges = cut_by_shares(std::uint64_t{1} << 62, shares);
  CHECK(ranges[0].end() == ranges[1].first);
  CHECK(ranges[1].end() == std::uint64_t{1} << 62);
  CHECK(ranges[1].count > std::uint64_t{1} << 30);
}

TEST_CASE("chunks cover a range, the last one has the rest") {
  CHECK(chunk_count({10, 0}, 4) == 0);
  CHECK(chunk_count({10, 8}, 4) == 2);
  CHECK(chunk_count({10, 9}, 4) == 3);
  CHECK(chunk_of({10, 9}, 4, 0) == ElementRange{10, 4});
  CHECK(chunk_of({10, 9}, 4, 2) == ElementRange{18, 1});
}
