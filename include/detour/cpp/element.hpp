// Which C++ types can travel, which operations there are, and what MPI calls them.
#pragma once

#include <mpi.h>

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <type_traits>

#include "detour/detour.h"

namespace detour {
inline namespace cpp {

// 16-bit floating-point numbers by their bits, for compilers without such types.
enum class float16 : std::uint16_t {};
enum class bfloat16 : std::uint16_t {};

enum class Op { sum, prod, min, max, land, lor, lxor, band, bor, bxor };

inline MPI_Op mpi_op(Op op) {
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN,  MPI_MAX, MPI_LAND,
                        MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
  return ops[static_cast<std::size_t>(op)];
}

namespace detail {

template <class T>
MPI_Datatype integer_datatype() {
  if constexpr (std::is_signed_v<T>) {
    if constexpr (sizeof(T) == 1) return MPI_INT8_T;
    if constexpr (sizeof(T) == 2) return MPI_INT16_T;
    if constexpr (sizeof(T) == 4) return MPI_INT32_T;
    if constexpr (sizeof(T) == 8) return MPI_INT64_T;
  } else {
    if constexpr (sizeof(T) == 1) return MPI_UINT8_T;
    if constexpr (sizeof(T) == 2) return MPI_UINT16_T;
    if constexpr (sizeof(T) == 4) return MPI_UINT32_T;
    if constexpr (sizeof(T) == 8) return MPI_UINT64_T;
  }
}

template <class T, class... Others>
inline constexpr bool is_one_of = (std::same_as<T, Others> || ...);

}  // namespace detail

// What MPI has a predefined type for, and std::byte, on which only bitwise operations work.
template <class T>
concept Element =
    (std::integral<T> && sizeof(T) <= 8) ||
    detail::is_one_of<T, float, double, long double, float16, bfloat16, std::byte,
                      std::complex<float>, std::complex<double>, std::complex<long double>>;

template <Element T>
MPI_Datatype datatype_of() {
  if constexpr (std::same_as<T, bool>)
    return MPI_CXX_BOOL;
  else if constexpr (std::integral<T>)
    return detail::integer_datatype<T>();
  else if constexpr (std::same_as<T, float>)
    return MPI_FLOAT;
  else if constexpr (std::same_as<T, double>)
    return MPI_DOUBLE;
  else if constexpr (std::same_as<T, long double>)
    return MPI_LONG_DOUBLE;
  else if constexpr (std::same_as<T, float16>)
    return DETOUR_FLOAT16;
  else if constexpr (std::same_as<T, bfloat16>)
    return DETOUR_BFLOAT16;
  else if constexpr (std::same_as<T, std::byte>)
    return MPI_BYTE;
  else if constexpr (std::same_as<T, std::complex<float>>)
    return MPI_CXX_FLOAT_COMPLEX;
  else if constexpr (std::same_as<T, std::complex<double>>)
    return MPI_CXX_DOUBLE_COMPLEX;
  else
    return MPI_CXX_LONG_DOUBLE_COMPLEX;
}

// std::span, std::vector, std::array, detour::Buffer: memory without gaps that knows its size.
template <class Range>
concept Readable = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
    Element<std::ranges::range_value_t<Range>>;
template <class Range>
concept Writable = Readable<Range> &&
    !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;
// Two ranges of the same type of element, of which the second can be written to.
template <class Input, class Output>
concept ReadableInto = Readable<Input> && Writable<Output> &&
    std::same_as<std::ranges::range_value_t<Input>, std::ranges::range_value_t<Output>>;

}  // namespace cpp
}  // namespace detour
