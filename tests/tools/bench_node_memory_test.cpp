#include "bench/node_memory.hpp"

#include "bench_alone.hpp"
#include "detour_program.hpp"
#include "exit_status.hpp"

using namespace detour::tool;
using detour::test::Alone;

TEST_CASE("bench memory: buffers that no node has room for are refused with figures") {
  Alone peers;
  constexpr const char* who_needs = "the largest message needs";
  REQUIRE_NOTHROW(check_memory(peers, 2, 4096, who_needs));
  const std::uint64_t half = available_memory_bytes() / 2;
  REQUIRE_NOTHROW(check_memory(peers, 1, half, who_needs));
  REQUIRE_THROWS_AS(check_memory(peers, 4, half, who_needs), BadInput);
  try {
    check_memory(peers, 4, std::uint64_t{1} << 60, who_needs);
  } catch (const BadInput& error) {
    REQUIRE(detour::test::contains(error.what(),
                                   "the largest message needs buffers of "
                                   "4294967296.0 GiB for the 4 ranks of a node"));
  }
}

TEST_CASE("bench memory: the ranks of a node have equal shares of it") {
  Alone peers;
  const auto all = static_cast<double>(least_memory_share(peers, 1));
  REQUIRE(all > 0);
  // Others take and give back memory meanwhile.
  REQUIRE(static_cast<double>(least_memory_share(peers, 1000)) < all / 100);
}

TEST_CASE("bench memory: copying has a speed, and the ranks start together") {
  Alone peers;
  REQUIRE(measure_copy_gbs(peers) > 0.01);
  REQUIRE(peers.synchronised_count > 1);
}
