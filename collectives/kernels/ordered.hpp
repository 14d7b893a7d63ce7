// Sums and products of floating-point vectors whose operands stay in their order.
//
// Where both operands are NaN the processor returns the first. Compilers swap the operands as it
// suits them, one way in one loop and the other way in the next, so that the bits of the NaN would
// depend on the level and on the position in the array. Instructions written out are left alone.
#pragma once

#include "vector.hpp"

namespace detour::kernels {
namespace {

using Floats = Vector<float>;
using Doubles = Vector<double>;

#if defined(DETOUR_KERNELS_AVX2) || defined(DETOUR_KERNELS_AVX512)
#define DETOUR_KERNEL_ORDERED(function, Pack, instruction)              \
  DETOUR_KERNEL_INLINE Pack function(Pack a, Pack b) {                  \
    Pack result;                                                        \
    asm("v" instruction " %2, %1, %0" : "=v"(result) : "v"(a), "v"(b)); \
    return result;                                                      \
  }
#elif defined(DETOUR_KERNELS_X86)
#define DETOUR_KERNEL_ORDERED(function, Pack, instruction) \
  DETOUR_KERNEL_INLINE Pack function(Pack a, Pack b) {     \
    asm(instruction " %1, %0" : "+x"(a) : "x"(b));         \
    return a;                                              \
  }
#endif

#if defined(DETOUR_KERNEL_ORDERED)
DETOUR_KERNEL_ORDERED(add, Floats, "addps")
DETOUR_KERNEL_ORDERED(add, Doubles, "addpd")
DETOUR_KERNEL_ORDERED(multiply, Floats, "mulps")
DETOUR_KERNEL_ORDERED(multiply, Doubles, "mulpd")
#undef DETOUR_KERNEL_ORDERED
#endif

// Integers have no order to keep.
template <class Pack>
DETOUR_KERNEL_INLINE Pack add(Pack a, Pack b) {
  return a + b;
}

template <class Pack>
DETOUR_KERNEL_INLINE Pack multiply(Pack a, Pack b) {
  return a * b;
}

}  // namespace
}  // namespace detour::kernels
