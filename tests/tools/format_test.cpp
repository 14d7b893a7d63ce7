#include "format.hpp"

#include <limits>

#include "support/catch.hpp"

using namespace detour::tool;

TEST_CASE("durations come in the unit that reads best") {
  REQUIRE(duration(0) == "0.0 us");
  REQUIRE(duration(0.00012345) == "0.000123 us");
  REQUIRE(duration(12.34) == "12.3 us");
  REQUIRE(duration(4560) == "4.56 ms");
  REQUIRE(duration(1.2e6) == "1.20 s");
  REQUIRE(duration(600e6) == "10.0 minutes");
  REQUIRE(duration(10 * 3600e6) == "10.0 hours");
  REQUIRE(duration(72 * 3600e6) == "3.0 days");
  REQUIRE(duration(1045545775.55e6) == "33.1 years");
  REQUIRE(duration(1e60) == "3.17e+46 years");
  REQUIRE(duration(std::numeric_limits<double>::infinity()) == "over 1e290 years");
}

TEST_CASE("figures stay short") {
  REQUIRE(figure(0.625, 4) == "0.6250");
  REQUIRE(figure(12345.678, 3) == "12345.678");
  REQUIRE(figure(1e60, 4) == "1e+60");
  REQUIRE(figure(123456789, 4) == "1.23e+08");
}

TEST_CASE("sizes and counts agree with their number") {
  REQUIRE(size(1) == "1 byte");
  REQUIRE(size(2) == "2 bytes");
  REQUIRE(size(65536) == "64 KiB");
  REQUIRE(rounded_size(1000) == "1000 bytes");
  REQUIRE(rounded_size(1536) == "1.5 KiB");
  REQUIRE(rounded_size(26214400) == "25.0 MiB");
  REQUIRE(rounded_size(1e13) == "9313.2 GiB");
  REQUIRE(count(1, "link") == "1 link");
  REQUIRE(count(0, "link") == "0 links");
}

TEST_CASE("columns are as wide as they are said to be") {
  REQUIRE(right_aligned("ab", 4) == "  ab");
  REQUIRE(left_aligned("ab", 4) == "ab  ");
  REQUIRE(right_aligned("abc", 2) + left_aligned("abc", 2) == "abcabc");
}

TEST_CASE("text of others becomes one line") {
  REQUIRE(one_line("a\nb") == "a b");
  REQUIRE(one_line("a \r\n\tb\n") == "a b");
  REQUIRE(one_line("\033[1mbold") == "[1mbold");
  REQUIRE(one_line("8 × 8") == "8 × 8");
  REQUIRE(one_line("") == "");
}
