#include "kernel_reference.hpp"

#include <array>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace detour::test {
namespace {

using Quad = __float128;

template <class T>
concept Floating = std::floating_point<T> || std::same_as<T, Quad>;

template <const NarrowFormat& format>
struct Narrow {
  std::uint16_t bits;
};

template <class T>
struct Complex {
  T real;
  T imaginary;
};

template <class V, class I>
struct Located {
  V value;
  I index;
};

// Values of each type: half of them ordinary, so that sums are often finite.

template <std::integral T>
void make(T& value, std::mt19937_64& random) {
  constexpr T extremes[] = {0, 1, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  const std::uint64_t bits = random();
  value = bits % 4 == 0 ? extremes[(bits >> 8) % 4] : static_cast<T>(bits >> 8);
}

template <Floating T>
void make(T& value, std::mt19937_64& random) {
  const std::uint64_t bits = random();
  const double extremes[] = {0.0,  -0.0,  INFINITY, -INFINITY, NAN,
                             -NAN, 1e300, 5e-324,   1e-310,    1e-40};
  value = bits % 4 == 0 ? static_cast<T>(extremes[(bits >> 8) % 10])
                        : static_cast<T>(std::ldexp(static_cast<double>(bits >> 12) - 0x1p51,
                                                    static_cast<int>(bits >> 2 & 15) - 58));
  // Any bits at all, NaNs that signal or carry a payload among them. Not all bits are a long double.
  if (bits % 4 == 1 && !std::same_as<T, long double>) {
    const std::array<std::uint64_t, 2> noise{random(), random()};
    std::memcpy(&value, &noise, sizeof(T));
  }
}

template <const NarrowFormat& format>
void make(Narrow<format>& value, std::mt19937_64& random) {
  const std::uint64_t bits = random();
  value.bits = bits % 2 == 0 ? static_cast<std::uint16_t>(bits >> 8)
                             : encode(format, static_cast<double>(bits >> 54) - 512);
}

template <class T>
void make(Complex<T>& value, std::mt19937_64& random) {
  make(value.real, random);
  make(value.imaginary, random);
}

// Often the same value, so that indices decide.
template <class V, class I>
void make(Located<V, I>& value, std::mt19937_64& random) {
  make(value.value, random);
  if (random() % 2 == 0) value.value = static_cast<V>(random() % 2);
  value.index = static_cast<I>(random() % 5);
}

// Only the bytes that hold the value.

template <class T>
void write(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

void write(std::byte* to, long double value) {
  std::memcpy(to, &value, 10);
}

template <class T>
void write(std::byte* to, Complex<T> value) {
  write(to, value.real);
  write(to + sizeof(T), value.imaginary);
}

template <class V, class I>
void write(std::byte* to, Located<V, I> value) {
  write(to, value.value);
  write(to + offsetof(decltype(value), index), value.index);
}

// What the operations mean.

template <std::integral T>
T apply(ReduceOp op, T a, T b) {
  using Wide = std::uint64_t;  // the lower digits of sums and products are the same
  switch (op) {
    case ReduceOp::sum:
      return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b));
    case ReduceOp::product:
      return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b));
    case ReduceOp::minimum:
      return b < a ? b : a;
    case ReduceOp::maximum:
      return b > a ? b : a;
    case ReduceOp::logical_and:
      return a != 0 && b != 0;
    case ReduceOp::logical_or:
      return a != 0 || b != 0;
    case ReduceOp::logical_xor:
      return (a != 0) != (b != 0);
    case ReduceOp::bit_and:
      return static_cast<T>(a & b);
    case ReduceOp::bit_or:
      return static_cast<T>(a | b);
    case ReduceOp::bit_xor:
      return static_cast<T>(a ^ b);
    default:
      throw std::invalid_argument("not for integers");
  }
}

template <Floating T>
T apply(ReduceOp op, T a, T b) {
  switch (op) {
    case ReduceOp::sum:
      return a + b;
    case ReduceOp::product:
      return a * b;
    case ReduceOp::minimum:
      return a < b ? a : b;
    case ReduceOp::maximum:
      return a > b ? a : b;
    default:
      throw std::invalid_argument("not for floating-point numbers");
  }
}

template <const NarrowFormat& format>
Narrow<format> apply(ReduceOp op, Narrow<format> a, Narrow<format> b) {
  const auto value = [](Narrow<format> narrow) {
    return static_cast<float>(decode(format, narrow.bits));
  };
  return {encode(format, apply(op, value(a), value(b)))};
}

template <class T>
Complex<T> apply(ReduceOp op, Complex<T> a, Complex<T> b) {
  if (op == ReduceOp::sum) return {a.real + b.real, a.imaginary + b.imaginary};
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

template <class V, class I>
Located<V, I> apply(ReduceOp op, Located<V, I> a, Located<V, I> b) {
  if (a.value == b.value) return {b.value, a.index < b.index ? a.index : b.index};
  const bool is_first = op == ReduceOp::minimum_location ? a.value < b.value : a.value > b.value;
  return is_first ? a : b;
}

// Whether something is a NaN, part by part.

template <class T>
bool both_nan(T, T) {
  return false;
}
template <Floating T>
bool both_nan(T a, T b) {
  return a != a && b != b;
}
template <const NarrowFormat& format>
bool both_nan(Narrow<format> a, Narrow<format> b) {
  return is_nan(format, a.bits) && is_nan(format, b.bits);
}

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// The same for arrays of elements, without the element's type in the signature.

struct Reference {
  Bytes (*make)(std::size_t count, std::mt19937_64& random);
  Bytes (*combine)(ReduceOp op, const Bytes& a, const Bytes& b);
  bool (*same)(const Bytes& a, const Bytes& b);
};

// A part is what may be a NaN by itself: of a complex number each half.
template <class T, class Part = T>
constexpr Reference reference() {
  return {[](std::size_t count, std::mt19937_64& random) {
            Bytes made(count * sizeof(T));
            for (std::byte& noise : made) noise = static_cast<std::byte>(random());
            for (std::size_t at = 0; at < made.size(); at += sizeof(T)) {
              T value;
              make(value, random);
              write(&made[at], value);
            }
            return made;
          },
          [](ReduceOp op, const Bytes& a, const Bytes& b) {
            Bytes made(a.size());
            for (std::size_t at = 0; at < made.size(); at += sizeof(T)) {
              write(&made[at], apply(op, read<T>(&a[at]), read<T>(&b[at])));
            }
            return made;
          },
          [](const Bytes& a, const Bytes& b) {
            for (std::size_t at = 0; at < a.size(); at += sizeof(Part)) {
              if (std::memcmp(&a[at], &b[at], sizeof(Part)) == 0) continue;
              if (!both_nan(read<Part>(&a[at]), read<Part>(&b[at]))) return false;
            }
            return a.size() == b.size();
          }};
}

Reference reference_of(ElementType type) {
  switch (type) {
    case ElementType::int8:
      return reference<std::int8_t>();
    case ElementType::int16:
      return reference<std::int16_t>();
    case ElementType::int32:
    case ElementType::logical:
      return reference<std::int32_t>();
    case ElementType::int64:
      return reference<std::int64_t>();
    case ElementType::uint8:
    case ElementType::byte:
    case ElementType::boolean:
      return reference<std::uint8_t>();
    case ElementType::uint16:
      return reference<std::uint16_t>();
    case ElementType::uint32:
      return reference<std::uint32_t>();
    case ElementType::uint64:
      return reference<std::uint64_t>();
    case ElementType::float16:
      return reference<Narrow<float16_format>>();
    case ElementType::bfloat16:
      return reference<Narrow<bfloat16_format>>();
    case ElementType::float32:
      return reference<float>();
    case ElementType::float64:
      return reference<double>();
    case ElementType::long_double:
      return reference<long double>();
    case ElementType::float128:
      return reference<Quad>();
    case ElementType::complex_float32:
      return reference<Complex<float>, float>();
    case ElementType::complex_float64:
      return reference<Complex<double>, double>();
    case ElementType::complex_long_double:
      return reference<Complex<long double>, long double>();
    case ElementType::complex_float128:
      return reference<Complex<Quad>, Quad>();
    case ElementType::float_int:
      return reference<Located<float, int>>();
    case ElementType::double_int:
      return reference<Located<double, int>>();
    case ElementType::long_int:
      return reference<Located<long, int>>();
    case ElementType::int_int:
      return reference<Located<int, int>>();
    case ElementType::short_int:
      return reference<Located<short, int>>();
    case ElementType::long_double_int:
      return reference<Located<long double, int>>();
    case ElementType::float_float:
      return reference<Located<float, float>>();
    case ElementType::double_double:
      return reference<Located<double, double>>();
  }
  throw std::invalid_argument("no such type");
}

}  // namespace

Bytes random_elements(ElementType type, std::size_t count, std::mt19937_64& random) {
  return reference_of(type).make(count, random);
}

Bytes combine(ReduceOp op, ElementType type, const Bytes& a, const Bytes& b) {
  return reference_of(type).combine(op, a, b);
}

bool same_numbers(ElementType type, const Bytes& expected, const Bytes& actual) {
  return reference_of(type).same(expected, actual);
}

}  // namespace detour::test
