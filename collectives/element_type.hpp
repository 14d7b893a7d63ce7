// The elements that reductions work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace detour {

// One for each distinct element among MPI's predefined types; several of those types may share one
// (MPI_INT and MPI_INTEGER are both int32).
//
// The pairs are those of MINLOC and MAXLOC: the value, then the index, laid out like the C struct,
// padding included. Fortran's pairs hold two numbers of the same type.
enum class ElementType : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  byte,      // bits without a meaning
  boolean,   // of C and C++: one byte
  logical,   // of Fortran: 32 bits, true is 1
  float16,   // IEEE binary16
  bfloat16,  // the upper half of a float32
  float32,
  float64,
  long_double,  // as the C compiler has it
  float128,     // IEEE binary128, Fortran's REAL*16
  complex_float32,
  complex_float64,
  complex_long_double,
  complex_float128,
  float_int,
  double_int,
  long_int,
  int_int,
  short_int,
  long_double_int,
  float_float,
  double_double,
};

inline constexpr std::size_t element_type_count = 29;

// From one element to the next, padding included.
std::size_t element_bytes(ElementType type) noexcept;

std::string_view name(ElementType type) noexcept;

}  // namespace detour
