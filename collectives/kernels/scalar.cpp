// Elements that vectors do nothing for, one by one: long double, float128, and pairs.
#include "kernel_set.hpp"

#include <cstring>

#include "pairs.hpp"

namespace detour::kernels {
namespace {

#if defined(__SIZEOF_FLOAT128__)
using Float128 = __float128;
#else
using Float128 = long double;
static_assert(sizeof(Float128) == 16);
#endif

// How an element is read, and written with zeros for padding.
template <class T>
struct Plain {
  using Value = T;
  static constexpr std::size_t bytes = sizeof(T);

  static Value load(const std::byte* from) {
    Value value;
    std::memcpy(&value, from, sizeof(Value));
    return value;
  }
  static void store(std::byte* to, Value value) { std::memcpy(to, &value, sizeof(Value)); }
};

#if defined(__x86_64__)
constexpr std::size_t long_double_value_bytes = 10;
#else
constexpr std::size_t long_double_value_bytes = sizeof(long double);
#endif

template <>
void Plain<long double>::store(std::byte* to, long double value) {
  std::memset(to, 0, sizeof(long double));
  std::memcpy(to, &value, long_double_value_bytes);
}

template <class T>
struct ComplexNumber {
  T real;
  T imaginary;
};

template <class T>
struct Complex {
  using Value = ComplexNumber<T>;
  static constexpr std::size_t bytes = 2 * sizeof(T);

  static Value load(const std::byte* from) {
    return {Plain<T>::load(from), Plain<T>::load(from + sizeof(T))};
  }
  static void store(std::byte* to, Value value) {
    Plain<T>::store(to, value.real);
    Plain<T>::store(to + sizeof(T), value.imaginary);
  }
};

template <class V, class I>
struct Located {
  using Value = Pair<V, I>;
  static constexpr std::size_t bytes = sizeof(Value);

  static Value load(const std::byte* from) {
    return {Plain<V>::load(from), Plain<I>::load(from + offsetof(Value, index))};
  }
  static void store(std::byte* to, Value value) {
    std::memset(to, 0, sizeof(Value));
    Plain<V>::store(to, value.value);
    Plain<I>::store(to + offsetof(Value, index), value.index);
  }
};

// Not inlined: compilers swap operands as it suits them, and where both are NaN the result has the
// bits of the first. One copy does it the same way in all loops.
struct Sum {
  template <class T>
  [[gnu::noinline]] static T combine(T a, T b) {
    return a + b;
  }
  template <class T>
  [[gnu::noinline]] static ComplexNumber<T> combine(ComplexNumber<T> a, ComplexNumber<T> b) {
    return {a.real + b.real, a.imaginary + b.imaginary};
  }
};

struct Product {
  template <class T>
  [[gnu::noinline]] static T combine(T a, T b) {
    return a * b;
  }
  template <class T>
  [[gnu::noinline]] static ComplexNumber<T> combine(ComplexNumber<T> a, ComplexNumber<T> b) {
    return {a.real * b.real - a.imaginary * b.imaginary,
            a.real * b.imaginary + a.imaginary * b.real};
  }
};

struct Minimum {
  template <class T>
  static T combine(T a, T b) {
    return a < b ? a : b;
  }
};

struct Maximum {
  template <class T>
  static T combine(T a, T b) {
    return a > b ? a : b;
  }
};

template <class Value>
Value smaller_index(Value a, Value b) {
  return {b.value, Minimum::combine(a.index, b.index)};
}

struct MinimumLocation {
  template <class Value>
  static Value combine(Value a, Value b) {
    if (a.value == b.value) return smaller_index(a, b);
    return a.value < b.value ? a : b;
  }
};

struct MaximumLocation {
  template <class Value>
  static Value combine(Value a, Value b) {
    if (a.value == b.value) return smaller_index(a, b);
    return a.value > b.value ? a : b;
  }
};

template <class Element, class Operation>
void combine_two(std::byte* result, const std::byte* a, const std::byte* b,
                 std::size_t count) noexcept {
  for (std::size_t at = 0; at < count * Element::bytes; at += Element::bytes) {
    Element::store(result + at, Operation::combine(Element::load(a + at), Element::load(b + at)));
  }
}

template <class Element, class Operation>
void combine_many(std::byte* result, const std::byte* const* inputs, std::size_t input_count,
                  std::size_t count) noexcept {
  if (input_count == 0) return;
  if (input_count == 1) {
    std::memmove(result, inputs[0], count * Element::bytes);
    return;
  }
  for (std::size_t at = 0; at < count * Element::bytes; at += Element::bytes) {
    auto value = Element::load(inputs[0] + at);
    for (std::size_t input = 1; input < input_count; ++input) {
      value = Operation::combine(value, Element::load(inputs[input] + at));
    }
    Element::store(result + at, value);
  }
}

template <class Element, class Operation>
void combine_twofold(std::byte* result, std::byte* copy, const std::byte* const* inputs,
                     std::size_t input_count, std::size_t count) noexcept {
  if (input_count == 0) return;
  combine_many<Element, Operation>(result, inputs, input_count, count);
  std::memcpy(copy, result, count * Element::bytes);
}

template <class Element, class Operation>
KernelSet kernels_of() {
  constexpr Kernel two = &combine_two<Element, Operation>;
  constexpr FusedKernel many = &combine_many<Element, Operation>;
  return {two, two, many, many, &combine_twofold<Element, Operation>};
}

template <class T>
KernelSet find_floating(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return kernels_of<Plain<T>, Sum>();
    case ReduceOp::product:
      return kernels_of<Plain<T>, Product>();
    case ReduceOp::minimum:
      return kernels_of<Plain<T>, Minimum>();
    case ReduceOp::maximum:
      return kernels_of<Plain<T>, Maximum>();
    default:
      return {};
  }
}

template <class T>
KernelSet find_complex(ReduceOp op) {
  return op == ReduceOp::sum ? kernels_of<Complex<T>, Sum>() : kernels_of<Complex<T>, Product>();
}

template <class Value, class Index>
KernelSet find_pair(ReduceOp op) {
  return op == ReduceOp::minimum_location ? kernels_of<Located<Value, Index>, MinimumLocation>()
                                          : kernels_of<Located<Value, Index>, MaximumLocation>();
}

}  // namespace

bool is_scalar(ElementType type) noexcept {
  return type == ElementType::long_double || type == ElementType::float128 ||
         type >= ElementType::complex_long_double;
}

KernelSet find_scalar(ReduceOp op, ElementType type) noexcept {
  switch (type) {
    case ElementType::long_double:
      return find_floating<long double>(op);
    case ElementType::float128:
      return find_floating<Float128>(op);
    case ElementType::complex_long_double:
      return find_complex<long double>(op);
    case ElementType::complex_float128:
      return find_complex<Float128>(op);
    case ElementType::float_int:
      return find_pair<float, int>(op);
    case ElementType::double_int:
      return find_pair<double, int>(op);
    case ElementType::long_int:
      return find_pair<long, int>(op);
    case ElementType::int_int:
      return find_pair<int, int>(op);
    case ElementType::short_int:
      return find_pair<short, int>(op);
    case ElementType::long_double_int:
      return find_pair<long double, int>(op);
    case ElementType::float_float:
      return find_pair<float, float>(op);
    case ElementType::double_double:
      return find_pair<double, double>(op);
    default:
      return {};
  }
}

}  // namespace detour::kernels
