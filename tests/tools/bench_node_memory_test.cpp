#include "bench/node_memory.hpp"

#include "bench_alone.hpp"
#include "detour_program.hpp"
#include "exit_status.hpp"

using namespace detour::tool;
using detour::test::Alone;

TEST_CASE("bench memory: buffers that no node has room for are refused with figures") {
  Alone peers;
  REQUIRE_NOTHROW(check_memory(peers, 2, 4096));
  const std::uint64_t half = available_memory_bytes() / 2;
  REQUIRE_NOTHROW(check_memory(peers, 1, half));
  REQUIRE_THROWS_AS(check_memory(peers, 4, half), BadInput);
  try {
    check_memory(peers, 4, std::uint64_t{1} << 60);
  } catch (const BadInput& error) {
    REQUIRE(detour::test::contains(error.what(), "4294967296.0 GiB for the 4 ranks of a node"));
  }
}

TEST_CASE("bench memory: copying has a speed, and the ranks start together") {
  Alone peers;
  REQUIRE(measure_copy_gbs(peers) > 0.01);
  REQUIRE(peers.synchronised_count > 1);
}
