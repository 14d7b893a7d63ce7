#include "machine_arguments.hpp"

#include <limits>

#include "exit_status.hpp"
#include "support/catch.hpp"

using namespace detour;
using namespace detour::tool;

TEST_CASE("sizes take binary suffixes") {
  REQUIRE(parse_bytes("--bytes", "1") == 1);
  REQUIRE(parse_bytes("--bytes", "64K") == 64 * 1024);
  REQUIRE(parse_bytes("--bytes", "4M") == 4 << 20);
  REQUIRE(parse_bytes("--bytes", "4MiB") == 4 << 20);
  REQUIRE(parse_bytes("--bytes", "1G") == 1 << 30);
  REQUIRE(parse_bytes("--bytes", "15T") == std::uint64_t{15} << 40);
}

TEST_CASE("what is no size is bad input") {
  for (const char* text : {"", "0", "0K", "-1", "K", "4X", "4 M", "1.5M", "4MM",
                           "99999999999999999999", "18446744073709551615K"}) {
    INFO(text);
    REQUIRE_THROWS_AS(parse_bytes("--bytes", text), BadInput);
  }
}

TEST_CASE("a request has the machine's figures") {
  const Request request = make_request({.bytes = "1M",
                                        .chunk_bytes = "32K",
                                        .latency_us = 2.5,
                                        .overhead_us = 0,
                                        .bandwidth = 5000,
                                        .injection = 7000,
                                        .tree_count_max = 16});
  REQUIRE(request.bytes == 1 << 20);
  REQUIRE(request.machine.chunk_bytes == 32 * 1024);
  REQUIRE(request.machine.hop_latency_us == 2.5);
  REQUIRE(request.machine.message_overhead_us == 0);
  REQUIRE(request.machine.link_bytes_per_us == 5000);
  REQUIRE(request.machine.injection_bytes_per_us == 7000);
  REQUIRE(request.tree_count_max == 16);
  REQUIRE_FALSE(make_request({}).bytes);
}

TEST_CASE("figures that make no sense or change nothing are bad input") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<MachineArguments> bad(10);
  bad[0].latency_us = 1;  // without --bytes
  bad[1].overhead_us = 1;
  bad[2].chunk_bytes = "1K";
  bad[3].bandwidth = 1;
  bad[4].injection = 0;
  bad[5].injection = nan;
  bad[6].injection = infinity;
  bad[7].tree_count_max = 0;
  bad[8].bytes = "1K";
  bad[8].latency_us = -1;
  bad[9].bytes = "1K";
  bad[9].bandwidth = 0;
  for (const auto& arguments : bad) REQUIRE_THROWS_AS(make_request(arguments), BadInput);
}
