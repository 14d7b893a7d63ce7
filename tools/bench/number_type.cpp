#include "bench/number_type.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "exit_status.hpp"
#include "suggestion.hpp"

namespace detour::tool {
namespace {

using enum NumberKind;

constexpr std::array<NumberType, 18> types{{
    {"float", ieee_float, 4},
    {"double", ieee_float, 8},
    {"int", signed_integer, 4},
    {"long", signed_integer, 8},
    {"float16", ieee_float, 2},
    {"bfloat16", brain_float, 2},
    {"int8", signed_integer, 1},
    {"int16", signed_integer, 2},
    {"int32", signed_integer, 4},
    {"int64", signed_integer, 8},
    {"uint8", unsigned_integer, 1},
    {"uint16", unsigned_integer, 2},
    {"uint32", unsigned_integer, 4},
    {"uint64", unsigned_integer, 8},
    {"short", signed_integer, 2},
    {"unsigned", unsigned_integer, 4},
    {"float32", ieee_float, 4},
    {"float64", ieee_float, 8},
}};

constexpr std::array<std::pair<std::string_view, Operation>, 10> operations{{
    {"sum", Operation::sum},
    {"prod", Operation::prod},
    {"min", Operation::min},
    {"max", Operation::max},
    {"band", Operation::band},
    {"bor", Operation::bor},
    {"bxor", Operation::bxor},
    {"land", Operation::land},
    {"lor", Operation::lor},
    {"lxor", Operation::lxor},
}};

// Significand bits after the leading one, and the exponent's bias, of the formats of two bytes.
struct NarrowFormat {
  int fraction_bits;
  int bias;
};

NarrowFormat narrow_format(const NumberType& type) {
  return type.kind == brain_float ? NarrowFormat{7, 127} : NarrowFormat{10, 15};
}

std::uint16_t encode_narrow(const NumberType& type, std::uint64_t value) {
  if (value == 0) return 0;
  const auto [fraction_bits, bias] = narrow_format(type);
  const int exponent = static_cast<int>(std::bit_width(value)) - 1;
  // Exact numbers have no more bits than the significand.
  const std::uint64_t fraction = exponent <= fraction_bits ? value << (fraction_bits - exponent)
                                                           : value >> (exponent - fraction_bits);
  const auto leading_one = std::uint64_t{1} << fraction_bits;
  const auto biased = static_cast<std::uint64_t>(exponent + bias) << fraction_bits;
  return static_cast<std::uint16_t>(biased | (fraction & (leading_one - 1)));
}

double decode_narrow(const NumberType& type, std::uint16_t bits) {
  const auto [fraction_bits, bias] = narrow_format(type);
  const int exponent_bits = 15 - fraction_bits;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return fraction == 0 ? sign * INFINITY : NAN;
  const int significand = exponent == 0 ? fraction : fraction | (1 << fraction_bits);
  return sign * std::ldexp(significand, std::max(exponent, 1) - bias - fraction_bits);
}

template <class Number>
double read_as(std::span<const std::byte> at) {
  Number number;
  std::memcpy(&number, at.data(), sizeof number);
  return static_cast<double>(number);
}

double decode_integer(const NumberType& type, std::span<const std::byte> at) {
  const bool is_signed = type.kind == signed_integer;
  switch (type.bytes) {
    case 1:
      return is_signed ? read_as<std::int8_t>(at) : read_as<std::uint8_t>(at);
    case 2:
      return is_signed ? read_as<std::int16_t>(at) : read_as<std::uint16_t>(at);
    case 4:
      return is_signed ? read_as<std::int32_t>(at) : read_as<std::uint32_t>(at);
    default:
      return is_signed ? read_as<std::int64_t>(at) : read_as<std::uint64_t>(at);
  }
}

template <class Number>
void write_as(std::span<std::byte> at, std::uint64_t value) {
  const auto number = static_cast<Number>(value);
  std::memcpy(at.data(), &number, sizeof number);
}

void encode_integer(const NumberType& type, std::uint64_t value, std::span<std::byte> at) {
  if (type.bytes == 1) return write_as<std::uint8_t>(at, value);
  if (type.bytes == 2) return write_as<std::uint16_t>(at, value);
  if (type.bytes == 4) return write_as<std::uint32_t>(at, value);
  write_as<std::uint64_t>(at, value);
}

}  // namespace

std::uint64_t NumberType::exact_max() const {
  if (is_integer()) {
    // Without the highest bit, for signed and unsigned ones alike.
    return ~std::uint64_t{0} >> (65 - 8 * bytes);
  }
  if (is_narrow_float()) return std::uint64_t{2} << narrow_format(*this).fraction_bits;
  return std::uint64_t{1} << (bytes == 4 ? 24 : 53);
}

const NumberType& find_number_type(std::string_view name) {
  std::vector<std::string_view> names;
  for (const NumberType& type : types) {
    if (type.name == name) return type;
    names.push_back(type.name);
  }
  throw BadInput("unknown type '" + std::string(name) + "'" + suggestion(name, names));
}

Operation find_operation(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& [known, operation] : operations) {
    if (known == name) return operation;
    names.push_back(known);
  }
  throw BadInput("unknown operation '" + std::string(name) + "'" + suggestion(name, names));
}

std::string_view name_of(Operation operation) {
  return operations[static_cast<std::size_t>(operation)].first;
}

void check_operation(const NumberType& type, Operation operation) {
  if (type.is_integer() || operation <= Operation::max) return;
  throw BadInput("--op " + std::string(name_of(operation)) + " is for integers, not for " +
                 std::string(type.name));
}

void encode(const NumberType& type, std::uint64_t value, std::span<std::byte> at) {
  if (type.is_integer()) return encode_integer(type, value, at);
  if (type.bytes == 4) return write_as<float>(at, value);
  if (type.bytes == 8) return write_as<double>(at, value);
  write_as<std::uint16_t>(at, encode_narrow(type, value));
}

double decode(const NumberType& type, std::span<const std::byte> at) {
  if (type.is_integer()) return decode_integer(type, at);
  if (type.bytes == 4) return read_as<float>(at);
  if (type.bytes == 8) return read_as<double>(at);
  std::uint16_t bits = 0;
  std::memcpy(&bits, at.data(), sizeof bits);
  return decode_narrow(type, bits);
}

}  // namespace detour::tool
