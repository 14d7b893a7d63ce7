#include "bench/number_type.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "exit_status.hpp"
#include "support/catch.hpp"

using namespace detour::tool;

namespace {

constexpr const char* all_types[] = {"float",  "double", "int",   "long",    "float16", "bfloat16",
                                     "int8",   "int16",  "int32", "int64",   "uint8",   "uint16",
                                     "uint32", "uint64", "short", "unsigned"};

std::uint16_t narrow_bits(const char* name, std::uint64_t value) {
  std::array<std::byte, 2> at{};
  encode(find_number_type(name), value, at);
  std::uint16_t bits = 0;
  std::memcpy(&bits, at.data(), sizeof bits);
  return bits;
}

double narrow_number(const char* name, std::uint16_t bits) {
  std::array<std::byte, 2> at{};
  std::memcpy(at.data(), &bits, sizeof bits);
  return decode(find_number_type(name), at);
}

}  // namespace

TEST_CASE("bench types: whole numbers come back from their bytes") {
  for (const char* name : all_types) {
    const NumberType& type = find_number_type(name);
    std::vector<std::byte> at(type.bytes);
    for (const std::uint64_t value : {0u, 1u, 2u, 3u, 7u, 100u, 127u}) {
      encode(type, value, at);
      INFO(name << " " << value);
      REQUIRE(decode(type, at) == static_cast<double>(value));
    }
    encode(type, type.exact_max(), at);
    REQUIRE(decode(type, at) == Approx(static_cast<double>(type.exact_max())));
  }
}

TEST_CASE("bench types: 16-bit numbers have the standard's bits") {
  REQUIRE(narrow_bits("float16", 1) == 0x3c00);
  REQUIRE(narrow_bits("float16", 3) == 0x4200);
  REQUIRE(narrow_bits("float16", 2048) == 0x6800);
  REQUIRE(narrow_bits("bfloat16", 1) == 0x3f80);
  REQUIRE(narrow_bits("bfloat16", 256) == 0x4380);
  REQUIRE(narrow_number("float16", 0xc000) == -2);
  REQUIRE(narrow_number("float16", 0x0001) == std::ldexp(1.0, -24));
  REQUIRE(narrow_number("float16", 0x7c00) == std::numeric_limits<double>::infinity());
  REQUIRE(std::isnan(narrow_number("bfloat16", 0x7fc0)));
}

TEST_CASE("bench types: what is unknown is named, with the nearest") {
  REQUIRE_THROWS_WITH(find_number_type("flaot"), "unknown type 'flaot'; did you mean 'float'?");
  REQUIRE_THROWS_WITH(find_operation("summ"), "unknown operation 'summ'; did you mean 'sum'?");
  REQUIRE_THROWS_WITH(check_operation(find_number_type("float"), Operation::bxor),
                      "--op bxor is for integers, not for float");
  REQUIRE_NOTHROW(check_operation(find_number_type("uint8"), Operation::lxor));
  REQUIRE(name_of(find_operation("land")) == "land");
}
