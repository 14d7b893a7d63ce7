// float16 and bfloat16 against numbers worked out by arithmetic, not by bits.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "kernel_reference.hpp"
#include "support/catch.hpp"

using namespace detour;
using namespace detour::test;

namespace {

using Numbers = std::vector<std::uint16_t>;

struct Kind {
  ElementType type;
  NarrowFormat format;
};
constexpr Kind kinds[] = {{ElementType::float16, float16_format},
                          {ElementType::bfloat16, bfloat16_format}};
constexpr std::size_t pattern_count = 65536;

Numbers all_patterns() {
  Numbers patterns(pattern_count);
  for (std::size_t at = 0; at < pattern_count; ++at) patterns[at] = static_cast<std::uint16_t>(at);
  return patterns;
}

Numbers run(ReduceOp op, ElementType type, Isa isa, const Numbers& a, const Numbers& b) {
  Numbers result(a.size());
  const auto bytes = [](const Numbers& numbers) {
    return static_cast<const std::byte*>(static_cast<const void*>(numbers.data()));
  };
  find_kernel(op, type, isa)(static_cast<std::byte*>(static_cast<void*>(result.data())), bytes(a),
                             bytes(b), a.size());
  return result;
}

template <class Visitor>
void for_each_kind_and_level(Visitor visit) {
  for (const Kind& kind : kinds) {
    for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
      INFO(name(kind.type) << " " << name(isa));
      if (isa <= isa_in_use()) visit(kind, isa);
    }
  }
}

// Two numbers in the format's own arithmetic: exact or nearly so, then rounded once.
std::uint16_t rounded(NarrowFormat format, ReduceOp op, std::uint16_t a, std::uint16_t b) {
  const auto x = static_cast<long double>(decode(format, a));
  const auto y = static_cast<long double>(decode(format, b));
  return encode(format, static_cast<double>(op == ReduceOp::sum ? x + y : x * y));
}

// The first pair whose result is wrong, or nothing.
std::string find_wrong(const Kind& kind, ReduceOp op, Isa isa, const Numbers& a, const Numbers& b) {
  const Numbers actual = run(op, kind.type, isa, a, b);
  for (std::size_t at = 0; at < a.size(); ++at) {
    const std::uint16_t expected = rounded(kind.format, op, a[at], b[at]);
    if (actual[at] == expected) continue;
    if (is_nan(kind.format, actual[at]) && is_nan(kind.format, expected)) continue;
    return std::to_string(a[at]) + " and " + std::to_string(b[at]) + " give " +
           std::to_string(actual[at]) + " instead of " + std::to_string(expected);
  }
  return "";
}

}  // namespace

TEST_CASE("the reference knows the narrow formats") {
  REQUIRE(decode(float16_format, 0x3C00) == 1.0);
  REQUIRE(decode(float16_format, 0x0001) == 0x1p-24);
  REQUIRE(decode(float16_format, 0x7BFF) == 65504.0);
  REQUIRE(decode(bfloat16_format, 0x3F80) == 1.0);
  REQUIRE(decode(bfloat16_format, 0xC049) == -3.140625);
  REQUIRE(encode(float16_format, 65519.0) == 0x7BFF);
  REQUIRE(encode(float16_format, 65520.0) == 0x7C00);
  REQUIRE(encode(float16_format, 0x1p-25) == 0);  // a tie goes to even
  REQUIRE(encode(float16_format, 0x3p-25) == 2);
}

TEST_CASE("every bit pattern comes through the conversions unchanged") {
  const Numbers patterns = all_patterns();
  for_each_kind_and_level([&](const Kind& kind, Isa isa) {
    // Adding -0 and multiplying by 1 change nothing: only the conversions are left.
    const Numbers minus_zero(pattern_count, 0x8000);
    const Numbers one(pattern_count, encode(kind.format, 1.0));
    const Numbers sums = run(ReduceOp::sum, kind.type, isa, patterns, minus_zero);
    const Numbers products = run(ReduceOp::product, kind.type, isa, patterns, one);
    const Numbers maxima = run(ReduceOp::maximum, kind.type, isa, patterns, patterns);
    std::size_t wrong_count = 0;
    for (std::size_t at = 0; at < pattern_count; ++at) {
      // A NaN keeps its sign and payload; arithmetic sets the payload's highest bit: a quiet one.
      const bool nan = is_nan(kind.format, patterns[at]);
      const int quiet = nan ? 1 << (kind.format.digit_count - 2) : 0;
      const int expected = patterns[at] | quiet;
      if (sums[at] != expected || products[at] != expected) ++wrong_count;
      if ((maxima[at] | quiet) != expected) ++wrong_count;
    }
    REQUIRE(wrong_count == 0);
  });
}

TEST_CASE("narrow sums and products are rounded to nearest even") {
  std::mt19937_64 random(4);
  const Numbers patterns = all_patterns();
  for_each_kind_and_level([&](const Kind& kind, Isa isa) {
    for (int round = 0; round < 8; ++round) {
      Numbers partners(pattern_count);
      for (std::size_t at = 0; at < pattern_count; ++at) {
        // Every other partner is of a like size, so that the lower digits matter.
        const auto any = static_cast<std::uint16_t>(random());
        partners[at] = at % 2 == 0
                           ? any
                           : static_cast<std::uint16_t>((patterns[at] ^ any >> 5) ^ (any & 0x8000));
      }
      for (const ReduceOp op : {ReduceOp::sum, ReduceOp::product}) {
        INFO(name(op));
        REQUIRE(find_wrong(kind, op, isa, patterns, partners) == "");
      }
    }
  });
}

TEST_CASE("narrow subnormals, infinities and NaN take part") {
  for_each_kind_and_level([](const Kind& kind, Isa isa) {
    const std::uint16_t infinity = encode(kind.format, std::numeric_limits<double>::infinity());
    const std::uint16_t minus_infinity = infinity | 0x8000;
    const std::uint16_t nan = infinity | 1;  // a signalling one
    const std::uint16_t largest = infinity - 1;
    const Numbers a{1, 0x8001, infinity, infinity, nan, largest, 0x03FF, 0x8000, 1};
    const Numbers b{1, 1, 1, minus_infinity, 1, largest, 1, 0x8000, nan};
    const Numbers sums = run(ReduceOp::sum, kind.type, isa, a, b);
    REQUIRE(sums[0] == 2);
    REQUIRE(sums[1] == 0);
    REQUIRE(sums[2] == infinity);
    REQUIRE(is_nan(kind.format, sums[3]));
    REQUIRE(is_nan(kind.format, sums[4]));
    REQUIRE(sums[5] == infinity);
    REQUIRE(sums[6] == rounded(kind.format, ReduceOp::sum, 0x03FF, 1));
    REQUIRE(sums[7] == 0x8000);
    REQUIRE(is_nan(kind.format, sums[8]));
    // As documented: the second operand where one is a NaN.
    REQUIRE(run(ReduceOp::minimum, kind.type, isa, a, b)[4] == 1);
    REQUIRE(is_nan(kind.format, run(ReduceOp::minimum, kind.type, isa, a, b)[8]));
  });
}
