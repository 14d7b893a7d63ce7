// The operations that reductions combine elements with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collectives/element_type.hpp"

namespace detour {

enum class ReduceOp : std::uint8_t {
  sum,
  product,
  minimum,
  maximum,
  logical_and,
  logical_or,
  logical_xor,
  bit_and,
  bit_or,
  bit_xor,
  minimum_location,
  maximum_location,
};

inline constexpr std::size_t reduce_op_count = 12;

// Whether MPI defines the operation for elements of this type (MPI 3.1, section 5.9.2).
bool is_defined(ReduceOp op, ElementType type) noexcept;

std::string_view name(ReduceOp op) noexcept;

}  // namespace detour
