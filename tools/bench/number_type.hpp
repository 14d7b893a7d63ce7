// The types and operations that `detour bench` knows, and their numbers as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace detour::tool {

enum class NumberKind { signed_integer, unsigned_integer, ieee_float, brain_float };

struct NumberType {
  std::string_view name;
  NumberKind kind;
  std::size_t bytes;

  bool is_integer() const {
    return kind == NumberKind::signed_integer || kind == NumberKind::unsigned_integer;
  }
  bool is_narrow_float() const { return !is_integer() && bytes == 2; }
  // All whole numbers up to it, and so their sums, are exact.
  std::uint64_t exact_max() const;
};

enum class Operation { sum, prod, min, max, band, bor, bxor, land, lor, lxor };

// They throw BadInput with the nearest name.
const NumberType& find_number_type(std::string_view name);
Operation find_operation(std::string_view name);
std::string_view name_of(Operation operation);
// Throws BadInput for bitwise and logical operations on floating-point numbers.
void check_operation(const NumberType& type, Operation operation);

// `value` at most exact_max(); `at` has the type's size.
void encode(const NumberType& type, std::uint64_t value, std::span<std::byte> at);
double decode(const NumberType& type, std::span<const std::byte> at);

}  // namespace detour::tool
