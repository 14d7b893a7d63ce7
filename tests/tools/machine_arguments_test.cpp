#include "machine_arguments.hpp"

#include "exit_status.hpp"
#include "support/catch.hpp"

using namespace detour;
using namespace detour::tool;

TEST_CASE("sizes take binary suffixes") {
  REQUIRE(parse_bytes("--bytes", "1") == 1);
  REQUIRE(parse_bytes("--bytes", "64K") == 64 * 1024);
  REQUIRE(parse_bytes("--bytes", "64k") == 64 * 1024);
  REQUIRE(parse_bytes("--bytes", "3t") == std::uint64_t{3} << 40);
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
                                        .latency_us = "2.5",
                                        .overhead_us = "0",
                                        .bandwidth = "5000",
                                        .injection = "7e3",
                                        .tree_count_max = "16"});
  REQUIRE(request.bytes == 1 << 20);
  REQUIRE(request.machine.chunk_bytes == 32 * 1024);
  REQUIRE(request.machine.hop_latency_us == 2.5);
  REQUIRE(request.machine.message_overhead_us == 0);
  REQUIRE(request.machine.link_bytes_per_us == 5000);
  REQUIRE(request.machine.injection_bytes_per_us == 7000);
  REQUIRE(request.tree_count_max == 16);
  REQUIRE_FALSE(make_request({}).bytes);
}

namespace {

std::string problem_of(const MachineArguments& arguments) {
  try {
    make_request(arguments);
  } catch (const BadInput& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("figures that would change nothing are bad input") {
  for (const auto& arguments :
       {MachineArguments{.latency_us = "1"}, MachineArguments{.overhead_us = "1"},
        MachineArguments{.chunk_bytes = "1K"}, MachineArguments{.bandwidth = "1"}}) {
    REQUIRE(problem_of(arguments).find(" needs --bytes") != std::string::npos);
  }
  REQUIRE(problem_of({.bandwidth = "1", .injection = "1"}).empty());
}

TEST_CASE("figures that make no sense are named, whatever else is missing") {
  for (const char* text : {"", "abc", "inf", "nan", "-1", "1e400", "1x", " 1", "0x10"}) {
    const std::string not_this = std::string(", not '") + text + "'";
    INFO(text);
    REQUIRE(problem_of({.latency_us = text}) ==
            "--latency-us has to be a finite number, zero or more" + not_this);
    REQUIRE(problem_of({.overhead_us = text}) ==
            "--overhead-us has to be a finite number, zero or more" + not_this);
    REQUIRE(problem_of({.bandwidth = text}) ==
            "--bandwidth has to be a finite number, more than zero" + not_this);
    REQUIRE(problem_of({.injection = text}) ==
            "--injection has to be a finite number, more than zero" + not_this);
  }
  REQUIRE(problem_of({.injection = "0"}) ==
          "--injection has to be a finite number, more than zero, not '0'");
  REQUIRE_FALSE(problem_of({.bytes = ""}).empty());
}

TEST_CASE("numbers of trees that make no sense are bad input") {
  for (const char* text : {"", "0", "-1", "x", "2.5", "-99999999999"}) {
    INFO(text);
    REQUIRE(problem_of({.tree_count_max = text}) ==
            std::string("--trees has to be a whole number, 1 or more, not '") + text + "'");
  }
  REQUIRE(problem_of({.tree_count_max = "99999999999"}) == "--trees '99999999999' is too large");
}
