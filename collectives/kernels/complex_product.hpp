// Products of complex numbers that lie in memory as (real, imaginary).
#pragma once

#include <utility>

#include "ordered.hpp"

namespace detour::kernels {
namespace {

template <std::size_t bytes>
struct SignedOf;
template <>
struct SignedOf<4> {
  using type = std::int32_t;
};
template <>
struct SignedOf<8> {
  using type = std::int64_t;
};

//     real = a.real * b.real      + -(a.imaginary * b.imaginary)
//     imag = a.real * b.imaginary +   a.imaginary * b.real
//            `-- real_twice(a) * b    `-- imaginary_twice(a) * swapped(b)
template <class T>
struct ComplexProduct {
  using Pack = Vector<T>;
  static constexpr std::size_t unit_bytes = 2 * sizeof(T);

  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) {
    const Pack by_real = multiply(__builtin_shuffle(a, lane & ~Lane{1}), b);
    const Pack by_imaginary =
        multiply(__builtin_shuffle(a, lane | Lane{1}), __builtin_shuffle(b, lane ^ 1));
    return add(by_real, (lane & 1) == 0 ? -by_imaginary : by_imaginary);
  }

 private:
  using Lane = typename SignedOf<sizeof(T)>::type;
  using Lanes = Vector<Lane>;

  template <std::size_t... at>
  static constexpr Lanes number(std::index_sequence<at...>) {
    return Lanes{static_cast<Lane>(at)...};
  }
  static constexpr Lanes lane = number(std::make_index_sequence<sizeof(Lanes) / sizeof(Lane)>());
};

}  // namespace
}  // namespace detour::kernels
