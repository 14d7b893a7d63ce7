// What kernels should compute, one element at a time and in the plainest way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "collectives/kernels.hpp"

namespace detour::test {

using Bytes = std::vector<std::byte>;

// Elements of all kinds, the extreme and the malformed included. Padding is filled with noise.
Bytes random_elements(ElementType type, std::size_t count, std::mt19937_64& random);

// a[i] op b[i] for all i.
Bytes combine(ReduceOp op, ElementType type, const Bytes& a, const Bytes& b);

// Whether all bits are the same, except that a NaN is as good as another NaN.
bool same_numbers(ElementType type, const Bytes& expected, const Bytes& actual);

// Narrow floating-point numbers by arithmetic instead of by bits: p digits, the least exponent.
struct NarrowFormat {
  int digit_count;  // with the one before the point
  int exponent_bits;
};
inline constexpr NarrowFormat float16_format{11, 5};
inline constexpr NarrowFormat bfloat16_format{8, 8};

double decode(NarrowFormat format, std::uint16_t bits);
std::uint16_t encode(NarrowFormat format, double value);  // to nearest, ties to even
bool is_nan(NarrowFormat format, std::uint16_t bits);

}  // namespace detour::test
