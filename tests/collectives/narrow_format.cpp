#include "kernel_reference.hpp"

#include <cmath>
#include <limits>

namespace detour::test {
namespace {

int fraction_bits(NarrowFormat format) {
  return format.digit_count - 1;
}

int exponent_max(NarrowFormat format) {
  return (1 << (format.exponent_bits - 1)) - 1;  // also the bias
}

}  // namespace

double decode(NarrowFormat format, std::uint16_t bits) {
  const int exponent_field = (bits >> fraction_bits(format)) & ((1 << format.exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits(format)) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent_field == (1 << format.exponent_bits) - 1) {
    return sign * (fraction == 0 ? std::numeric_limits<double>::infinity()
                                 : std::numeric_limits<double>::quiet_NaN());
  }
  const bool is_subnormal = exponent_field == 0;
  const int digits = is_subnormal ? fraction : fraction + (1 << fraction_bits(format));
  const int exponent = (is_subnormal ? 1 : exponent_field) - exponent_max(format);
  return sign * std::ldexp(digits, exponent - fraction_bits(format));
}

std::uint16_t encode(NarrowFormat format, double value) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const int infinity = ((1 << format.exponent_bits) - 1) << fraction_bits(format);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | infinity | 1);
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinity);
  if (value == 0) return static_cast<std::uint16_t>(sign);
  const int exponent_min = 1 - exponent_max(format);
  const int exponent = std::max(std::ilogb(value), exponent_min);
  // The digits as an integer: one more at the top, if rounding carries, runs into the exponent.
  const int digits = static_cast<int>(
      std::nearbyint(std::ldexp(std::abs(value), fraction_bits(format) - exponent)));
  const int bits = ((exponent - exponent_min) << fraction_bits(format)) + digits;
  return static_cast<std::uint16_t>(sign | std::min(bits, infinity));
}

bool is_nan(NarrowFormat format, std::uint16_t bits) {
  return std::isnan(decode(format, bits));
}

}  // namespace detour::test
