// float16 and bfloat16: widened to float32, combined there, rounded to nearest even.
//
// float32 has more than twice the digits of either, so that rounding twice, once there and once
// back, gives the same as rounding once.
#pragma once

#include "arithmetic.hpp"

namespace detour::kernels {
namespace {

using Words = Vector<std::uint32_t>;

// A word holds two narrow numbers. Taking the even and the odd ones apart by shifts needs no
// shuffling, and their order in the vectors does not matter.
//
//     word            [ odd | even ]
//     low, high       [  0  | even ]   [  0  | odd ]
template <class Format, class FloatOperation>
struct OnWords {
  using Pack = Words;
  static constexpr std::size_t unit_bytes = 2;

  DETOUR_KERNEL_INLINE static Words combine_halves(Words a, Words b) {
    return Format::round(FloatOperation::combine(Format::widen(a), Format::widen(b)));
  }

  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) {
    const Words low = combine_halves(a & 0xFFFF, b & 0xFFFF);
    const Words high = combine_halves(a >> 16, b >> 16);
    return low | (high << 16);
  }
};

// NaN needs no care: one that comes out of operands whose lower halves are zero has a lower half of
// zero too, and rounding leaves it alone.
struct BFloat16 {
  DETOUR_KERNEL_INLINE static Floats widen(Words bits) {
    return __builtin_bit_cast(Floats, bits << 16);
  }

  DETOUR_KERNEL_INLINE static Words round(Floats value) {
    const Words bits = __builtin_bit_cast(Words, value);
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
  }
};

template <template <class> class Operation>
using OnBFloat16 = OnWords<BFloat16, Operation<float>>;

#if defined(DETOUR_KERNELS_AVX2) || defined(DETOUR_KERNELS_AVX512)

#if defined(DETOUR_KERNELS_AVX512)
// gcc 12 warns of its own intrinsics without a mask (gcc bug 105593). This one costs nothing.
inline constexpr __mmask16 all_lanes = 0xFFFF;
#endif

// F16C converts between half a vector of float16 and a vector of float32.
template <template <class> class Operation>
struct OnFloat16 {
  using Pack = Vector<std::uint16_t, vector_bytes / 2>;
  static constexpr std::size_t unit_bytes = 2;

  DETOUR_KERNEL_INLINE static Floats widen(Pack bits) {
#if defined(DETOUR_KERNELS_AVX512)
    return _mm512_maskz_cvtph_ps(all_lanes, __builtin_bit_cast(__m256i, bits));
#else
    return _mm256_cvtph_ps(__builtin_bit_cast(__m128i, bits));
#endif
  }

  DETOUR_KERNEL_INLINE static Pack round(Floats value) {
#if defined(DETOUR_KERNELS_AVX512)
    return __builtin_bit_cast(Pack,
                              _mm512_maskz_cvtps_ph(all_lanes, value, _MM_FROUND_TO_NEAREST_INT));
#else
    return __builtin_bit_cast(Pack, _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
#endif
  }

  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) {
    return round(Operation<float>::combine(widen(a), widen(b)));
  }
};

#else

// The same as F16C bit by bit, with integers. No float32 in here is ever subnormal, so that it works
// in programs that have them flushed to zero.
//
//     float16   s eeeee ffffffffff                  exponent bias 15
//     float32   s eeeeeeee ffffffffff0000000000000  exponent bias 127
struct Float16 {
  static constexpr std::uint32_t bias_difference = (127 - 15) << 23;
  static constexpr std::uint32_t exponent_all_ones = 0x1F << 23;  // of a float16, moved into place

  DETOUR_KERNEL_INLINE static Floats widen(Words bits) {
    const Words sign = (bits & 0x8000) << 16;
    const Words magnitude = (bits & 0x7FFF) << 13;
    // The highest exponent, of infinity and NaN, becomes the highest. Rounding makes NaN quiet.
    const Words special = magnitude < exponent_all_ones ? Words{} : Words{} + bias_difference;
    const Words normal = magnitude + bias_difference + special;
    // 0.f * 2^-14 is (1.f - 1) * 2^-14, and the processor knows how to take off the 1.
    const Words one = Words{} + (bias_difference + (1 << 23));
    const Floats subnormal =
        __builtin_bit_cast(Floats, magnitude + one) - __builtin_bit_cast(Floats, one);
    const Words widened = magnitude < (1 << 23) ? __builtin_bit_cast(Words, subnormal) : normal;
    return __builtin_bit_cast(Floats, sign | widened);
  }

  DETOUR_KERNEL_INLINE static Words round(Floats value) {
    const Words bits = __builtin_bit_cast(Words, value);
    const Words magnitude = bits & 0x7FFFFFFF;
    const Words sign = (bits >> 16) & 0x8000;
    // What is too large runs over into the exponent of infinity.
    const Words normal = (magnitude - bias_difference + 0xFFF + ((magnitude >> 13) & 1)) >> 13;
    // The last digit of 0.5 is worth as much as that of a subnormal float16: the sum is rounded there.
    const Words half = Words{} + 0x3F000000;
    const Words subnormal = __builtin_bit_cast(Words, __builtin_bit_cast(Floats, magnitude) +
                                                          __builtin_bit_cast(Floats, half)) -
                            half;
    const Words infinity = Words{} + 0x7C00;
    const Words special = magnitude > 0x7F800000 ? ((magnitude >> 13) & 0x3FF) | 0x7E00 : infinity;
    const Words finite = magnitude < ((127 - 14) << 23) ? subnormal : normal;
    return sign | (magnitude < ((127 + 16) << 23) ? finite : special);
  }
};

template <template <class> class Operation>
using OnFloat16 = OnWords<Float16, Operation<float>>;

#endif

}  // namespace
}  // namespace detour::kernels
