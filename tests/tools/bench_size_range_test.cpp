#include "bench/size_range.hpp"

#include <string>

#include "exit_status.hpp"
#include "support/catch.hpp"

using namespace detour::tool;
using Sizes = std::vector<std::uint64_t>;

TEST_CASE("bench sizes: a single one, or a range with or without a factor") {
  REQUIRE(parse_size_range("-m", "64K") == Sizes{65536});
  REQUIRE(parse_size_range("-m", "4:64") == Sizes{4, 8, 16, 32, 64});
  REQUIRE(parse_size_range("-m", "1K:1M:4") == Sizes{1024, 4096, 16384, 65536, 262144, 1048576});
  REQUIRE(parse_size_range("-m", "5:5") == Sizes{5});
}

TEST_CASE("bench sizes: a range ends with the last size that it takes in") {
  REQUIRE(parse_size_range("-m", "3:13") == Sizes{3, 6, 12});
  REQUIRE(parse_size_range("-m", "1:10:3") == Sizes{1, 3, 9});
  const Sizes largest = parse_size_range("-m", "1:18446744073709551615");
  REQUIRE(largest.size() == 64);
  REQUIRE(largest.back() == std::uint64_t{1} << 63);
}

TEST_CASE("bench sizes: what is no size or range is bad input") {
  for (const char* text : {"", ":", "4:", ":4", "0", "0:4", "4:2", "4:8:1", "4:8:0", "4:8:x",
                           "4:8:", "4:8:2:2", "x", "-4", "4:8:-2", "4X"}) {
    INFO(text);
    REQUIRE_THROWS_AS(parse_size_range("-m", text), BadInput);
  }
}

TEST_CASE("bench sizes: bounds are kept as they are") {
  REQUIRE(parse_size_bounds("-m", "64K").from_bytes == 65536);
  REQUIRE(parse_size_bounds("-m", "64K").to_bytes == 65536);
  REQUIRE(parse_size_bounds("-m", "1M:25M").from_bytes == 1 << 20);
  REQUIRE(parse_size_bounds("-m", "1M:25M").to_bytes == 25 << 20);
  for (const char* text : {"", "4:", "4:2", "0:4", "4:8:2", "x"}) {
    INFO(text);
    REQUIRE_THROWS_AS(parse_size_bounds("-m", text), BadInput);
  }
  REQUIRE_THROWS_WITH(parse_size_bounds("-m", "4:8:2"), "-m is SIZE or FROM:TO, not '4:8:2'");
}

TEST_CASE("bench sizes: they are rounded up to whole elements, once each") {
  REQUIRE(whole_elements({1, 2, 4, 8, 16}, 8) == Sizes{8, 16});
  REQUIRE(whole_elements({3, 6, 12}, 4) == Sizes{4, 8, 12});
  REQUIRE(whole_elements({5}, 1) == Sizes{5});
}
