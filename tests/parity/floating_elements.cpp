// Floating-point numbers: real and complex, of all widths. The reference is computed in a wider
// format, or, where there is none, in the same: the bound allows for its own errors too.
#include <cmath>
#include <cstring>
#include <limits>

#include "../collectives/kernel_reference.hpp"
#include "elements.hpp"

namespace detour::parity {
namespace {

#if defined(__SIZEOF_FLOAT128__)
using Float128 = __float128;
#else
using Float128 = long double;
#endif

template <class T>
T magnitude(T value) {
  return value < 0 ? -value : value;
}

// In two parts, since no type holds the digits of all formats: the second follows the first's last.
struct Digits {
  double first;
  double second;
};

// How numbers are stored, and what they are computed with here.
template <class Stored, class Computed, int digits>
struct Format {
  using Wide = Computed;
  static constexpr std::size_t extent_bytes = sizeof(Stored);
#if defined(__x86_64__)
  static constexpr std::size_t value_bytes = digits == 64 ? 10 : sizeof(Stored);
#else
  static constexpr std::size_t value_bytes = sizeof(Stored);
#endif
  static constexpr int digit_count = digits;

  static Wide load(const std::byte* from) {
    Stored stored{};
    std::memcpy(&stored, from, value_bytes);
    return stored;
  }
  static void store(std::byte* to, Digits digits_of) {
    const Stored stored = rounded(digits_of);
    std::memcpy(to, &stored, value_bytes);
  }
  static Wide stored(Digits digits_of) {
    return rounded(digits_of);
  }

 private:
  static Stored rounded(Digits digits_of) {
    return static_cast<Stored>(digits_of.first) + static_cast<Stored>(digits_of.second);
  }
};

template <const test::NarrowFormat& format>
struct Narrow {
  using Wide = double;
  static constexpr std::size_t extent_bytes = 2;
  static constexpr std::size_t value_bytes = 2;
  static constexpr int digit_count = format.digit_count;

  static Wide load(const std::byte* from) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from, sizeof bits);
    return test::decode(format, bits);
  }
  static void store(std::byte* to, Digits digits) {
    const std::uint16_t bits = test::encode(format, digits.first);
    std::memcpy(to, &bits, sizeof bits);
  }
  static Wide stored(Digits digits) {
    return test::decode(format, test::encode(format, digits.first));
  }
};

using Float16 = Narrow<test::float16_format>;
using Bfloat16 = Narrow<test::bfloat16_format>;
using Float32 = Format<float, long double, 24>;
using Float64 = Format<double, long double, 53>;
using LongDouble = Format<long double, Float128, std::numeric_limits<long double>::digits>;
using Quadruple = Format<Float128, Float128, 113>;

constexpr int double_digits = std::numeric_limits<double>::digits;

// From 0 to 1, with all digits of a double.
double fraction(std::uint64_t bits) {
  return std::ldexp(static_cast<double>(bits >> (64 - double_digits)), -double_digits);
}

// With more digits than most formats hold, so that sums and products have to be rounded and their order
// shows.
Digits random_number(ReduceOp op, std::uint64_t bits) {
  const double sign = (bits & 1) != 0 ? -1 : 1;
  const double first = fraction(mixed(bits));
  const double second = std::ldexp(fraction(mixed(~bits)), -double_digits);
  const auto scaled = [&](double offset, int exponent) {
    return Digits{sign * std::ldexp(offset + first, exponent), sign * std::ldexp(second, exponent)};
  };
  switch (op) {
    case ReduceOp::sum:
      return scaled(1, static_cast<int>((bits >> 1) % 16) - 8);
    // The products of 16 of them neither overflow nor vanish, in 16 bits either.
    case ReduceOp::product:
      return scaled(1.5, -1);
    // Of few values, zeros of both signs among them.
    default:
      return {sign * std::floor(first * 16), 0};
  }
}

template <class Format>
class Reals final : public Elements {
 public:
  explicit Reals(ReduceOp op)
      : Elements(Format::extent_bytes, {{0, Format::value_bytes}}), op_(op) {}

  void put(std::uint64_t bits, std::byte* at) const override {
    Format::store(at, random_number(op_, bits));
  }

  bool is_reduction(std::span<const std::uint64_t> bits, const std::byte* at) const override {
    Wide result = made_of(bits.front());
    Wide scale = magnitude(result);
    for (const std::uint64_t more : bits.subspan(1)) {
      const Wide value = made_of(more);
      result = combined(result, value);
      scale = op_ == ReduceOp::sum ? scale + magnitude(value) : magnitude(result);
    }
    const bool is_choice = op_ == ReduceOp::minimum || op_ == ReduceOp::maximum;
    const Wide error = magnitude(Format::load(at) - result);
    const Wide unit = std::ldexp(1.0, 1 - Format::digit_count);
    // Written so that a NaN is wrong.
    return error <= (is_choice ? 0 : static_cast<Wide>(bits.size() - 1) * unit * scale);
  }

 private:
  using Wide = typename Format::Wide;

  Wide made_of(std::uint64_t bits) const { return Format::stored(random_number(op_, bits)); }

  Wide combined(Wide a, Wide b) const {
    switch (op_) {
      case ReduceOp::sum:
        return a + b;
      case ReduceOp::product:
        return a * b;
      case ReduceOp::minimum:
        return b < a ? b : a;
      default:
        return b > a ? b : a;
    }
  }

  ReduceOp op_;
};

template <class Format>
class ComplexNumbers final : public Elements {
 public:
  explicit ComplexNumbers(ReduceOp op)
      : Elements(2 * Format::extent_bytes,
                 {{0, Format::value_bytes}, {Format::extent_bytes, Format::value_bytes}}),
        op_(op) {}

  void put(std::uint64_t bits, std::byte* at) const override {
    Format::store(at, random_number(op_, bits));
    Format::store(at + Format::extent_bytes, random_number(op_, bits >> 32));
  }

  bool is_reduction(std::span<const std::uint64_t> bits, const std::byte* at) const override {
    Number result = made_of(bits.front());
    Wide scale = size(result);
    for (const std::uint64_t more : bits.subspan(1)) {
      const Number value = made_of(more);
      result = combined(result, value);
      scale = op_ == ReduceOp::sum ? scale + size(value) : scale * size(value);
    }
    const Number difference{Format::load(at) - result.real,
                            Format::load(at + Format::extent_bytes) - result.imaginary};
    const Wide unit = std::ldexp(1.0, 1 - Format::digit_count);
    return size(difference) <= 2 * static_cast<Wide>(bits.size() - 1) * unit * scale;
  }

 private:
  using Wide = typename Format::Wide;
  struct Number {
    Wide real;
    Wide imaginary;
  };

  Number made_of(std::uint64_t bits) const {
    return {Format::stored(random_number(op_, bits)),
            Format::stored(random_number(op_, bits >> 32))};
  }

  // In the norm that bounds those of sums and products without a root.
  static Wide size(const Number& number) {
    return magnitude(number.real) + magnitude(number.imaginary);
  }

  Number combined(const Number& a, const Number& b) const {
    if (op_ == ReduceOp::sum) return {a.real + b.real, a.imaginary + b.imaginary};
    return {a.real * b.real - a.imaginary * b.imaginary,
            a.real * b.imaginary + a.imaginary * b.real};
  }

  ReduceOp op_;
};

}  // namespace

std::unique_ptr<Elements> floating_elements(ElementType type, ReduceOp op) {
  switch (type) {
    case ElementType::float16:
      return std::make_unique<Reals<Float16>>(op);
    case ElementType::bfloat16:
      return std::make_unique<Reals<Bfloat16>>(op);
    case ElementType::float32:
      return std::make_unique<Reals<Float32>>(op);
    case ElementType::float64:
      return std::make_unique<Reals<Float64>>(op);
    case ElementType::long_double:
      return std::make_unique<Reals<LongDouble>>(op);
    case ElementType::float128:
      return std::make_unique<Reals<Quadruple>>(op);
    case ElementType::complex_float32:
      return std::make_unique<ComplexNumbers<Float32>>(op);
    case ElementType::complex_float64:
      return std::make_unique<ComplexNumbers<Float64>>(op);
    case ElementType::complex_long_double:
      return std::make_unique<ComplexNumbers<LongDouble>>(op);
    case ElementType::complex_float128:
      return std::make_unique<ComplexNumbers<Quadruple>>(op);
    default:
      return nullptr;
  }
}

}  // namespace detour::parity
