// Operations on vectors of integers and of numbers that the processor knows.
//
// An operation has a Pack, which is what it combines at once, and unit_bytes: what must not be torn
// apart. Signed integers use the unsigned operations where the bits are the same, which makes
// overflow wrap round.
#pragma once

#include "ordered.hpp"

namespace detour::kernels {
namespace {

template <class T>
struct OnVectors {
  using Pack = Vector<T>;
  static constexpr std::size_t unit_bytes = sizeof(T);
};

template <class T>
struct Sum : OnVectors<T> {
  using typename OnVectors<T>::Pack;
  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) { return add(a, b); }
};

template <class T>
struct Product : OnVectors<T> {
  using typename OnVectors<T>::Pack;
  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) { return multiply(a, b); }
};

template <class T>
struct Minimum : OnVectors<T> {
  using typename OnVectors<T>::Pack;
  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) { return a < b ? a : b; }
};

template <class T>
struct Maximum : OnVectors<T> {
  using typename OnVectors<T>::Pack;
  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) { return a > b ? a : b; }
};

template <class T>
struct BitAnd : OnVectors<T> {
  using typename OnVectors<T>::Pack;
  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) { return a & b; }
};

template <class T>
struct BitOr : OnVectors<T> {
  using typename OnVectors<T>::Pack;
  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) { return a | b; }
};

template <class T>
struct BitXor : OnVectors<T> {
  using typename OnVectors<T>::Pack;
  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) { return a ^ b; }
};

// 1 where an element is not 0.
template <class Pack>
DETOUR_KERNEL_INLINE Pack truth(Pack pack) {
  const Pack one = Pack{} + 1;
  return pack != Pack{} ? one : Pack{};
}

template <class T>
struct LogicalAnd : OnVectors<T> {
  using typename OnVectors<T>::Pack;
  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) { return truth(a) & truth(b); }
};

template <class T>
struct LogicalOr : OnVectors<T> {
  using typename OnVectors<T>::Pack;
  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) { return truth(a | b); }
};

template <class T>
struct LogicalXor : OnVectors<T> {
  using typename OnVectors<T>::Pack;
  DETOUR_KERNEL_INLINE static Pack combine(Pack a, Pack b) { return truth(a) ^ truth(b); }
};

}  // namespace
}  // namespace detour::kernels
