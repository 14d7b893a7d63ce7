#include "collectives/reduce_op.hpp"

namespace detour {
namespace {

constexpr std::string_view names[] = {
    "sum",         "product", "minimum", "maximum", "logical_and",      "logical_or",
    "logical_xor", "bit_and", "bit_or",  "bit_xor", "minimum_location", "maximum_location",
};
static_assert(sizeof(names) == reduce_op_count * sizeof(std::string_view));

constexpr bool is_one_of(ElementType type, ElementType first, ElementType last) {
  return type >= first && type <= last;
}

constexpr bool is_integer(ElementType type) {
  return is_one_of(type, ElementType::int8, ElementType::uint64);
}

constexpr bool is_floating(ElementType type) {
  return is_one_of(type, ElementType::float16, ElementType::float128);
}

constexpr bool is_complex(ElementType type) {
  return is_one_of(type, ElementType::complex_float32, ElementType::complex_float128);
}

constexpr bool is_truth(ElementType type) {
  return type == ElementType::boolean || type == ElementType::logical;
}

constexpr bool is_pair(ElementType type) {
  return is_one_of(type, ElementType::float_int, ElementType::double_double);
}

}  // namespace

bool is_defined(ReduceOp op, ElementType type) noexcept {
  switch (op) {
    case ReduceOp::sum:
    case ReduceOp::product:
      return is_integer(type) || is_floating(type) || is_complex(type);
    case ReduceOp::minimum:
    case ReduceOp::maximum:
      return is_integer(type) || is_floating(type);
    case ReduceOp::logical_and:
    case ReduceOp::logical_or:
    case ReduceOp::logical_xor:
      return is_integer(type) || is_truth(type);
    case ReduceOp::bit_and:
    case ReduceOp::bit_or:
    case ReduceOp::bit_xor:
      return is_integer(type) || type == ElementType::byte;
    case ReduceOp::minimum_location:
    case ReduceOp::maximum_location:
      return is_pair(type);
  }
  return false;
}

std::string_view name(ReduceOp op) noexcept {
  return names[static_cast<std::size_t>(op)];
}

}  // namespace detour
