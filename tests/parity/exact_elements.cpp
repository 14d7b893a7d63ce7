// Integers, truth values, and the pairs of MINLOC and MAXLOC.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "elements.hpp"

namespace detour::parity {
namespace {

// In the unsigned type of 64 bits, where everything wraps round as in the narrower ones.
std::uint64_t wrapped(ReduceOp op, std::uint64_t a, std::uint64_t b) {
  switch (op) {
    case ReduceOp::sum:
      return a + b;
    case ReduceOp::product:
      return a * b;
    case ReduceOp::logical_and:
      return a != 0 && b != 0 ? 1 : 0;
    case ReduceOp::logical_or:
      return a != 0 || b != 0 ? 1 : 0;
    case ReduceOp::logical_xor:
      return (a != 0) != (b != 0) ? 1 : 0;
    case ReduceOp::bit_and:
      return a & b;
    case ReduceOp::bit_or:
      return a | b;
    default:
      return a ^ b;
  }
}

// Such that results differ from element to element, although many contribute: products of even numbers
// soon are zero, and so is what random numbers have in common.
std::uint64_t suitable(ReduceOp op, std::uint64_t bits) {
  const std::uint64_t more = mixed(bits);
  switch (op) {
    case ReduceOp::product:
      return more % 32 == 0 ? bits : bits | 1;
    case ReduceOp::bit_and:
      return bits | more | mixed(more);
    case ReduceOp::bit_or:
      return bits & more & mixed(more);
    case ReduceOp::logical_and:
      return more % 16 == 0 ? 0 : bits | 1;
    case ReduceOp::logical_or:
      return more % 16 == 0 ? bits | 1 : 0;
    case ReduceOp::logical_xor:
      return more % 2 == 0 ? bits | 1 : 0;
    default:
      return bits;
  }
}

template <class Integer>
class Integers final : public Elements {
 public:
  explicit Integers(ReduceOp op) : Elements(sizeof(Integer), {{0, sizeof(Integer)}}), op_(op) {}

  void put(std::uint64_t bits, std::byte* at) const override {
    const Integer value = made_of(bits);
    std::memcpy(at, &value, sizeof value);
  }

  // One contribution is left as it is, even where logical operations would make a 1 of it.
  bool is_reduction(std::span<const std::uint64_t> bits, const std::byte* at) const override {
    Integer result = made_of(bits.front());
    for (const std::uint64_t more : bits.subspan(1)) result = combined(result, made_of(more));
    return std::memcmp(&result, at, sizeof result) == 0;
  }

 private:
  Integer made_of(std::uint64_t bits) const { return static_cast<Integer>(suitable(op_, bits)); }

  Integer combined(Integer a, Integer b) const {
    if (op_ == ReduceOp::minimum) return std::min(a, b);
    if (op_ == ReduceOp::maximum) return std::max(a, b);
    return static_cast<Integer>(
        wrapped(op_, static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  }

  ReduceOp op_;
};

// True is 1, in C as in Fortran.
template <class Integer>
class Truths final : public Elements {
 public:
  explicit Truths(ReduceOp op) : Elements(sizeof(Integer), {{0, sizeof(Integer)}}), op_(op) {}

  void put(std::uint64_t bits, std::byte* at) const override {
    const Integer value = suitable(op_, bits) != 0;
    std::memcpy(at, &value, sizeof value);
  }

  bool is_reduction(std::span<const std::uint64_t> bits, const std::byte* at) const override {
    std::uint64_t result = suitable(op_, bits.front()) != 0;
    for (const std::uint64_t more : bits.subspan(1)) {
      result = wrapped(op_, result, suitable(op_, more));
    }
    const auto value = static_cast<Integer>(result);
    return std::memcmp(&value, at, sizeof value) == 0;
  }

 private:
  ReduceOp op_;
};

template <class T>
constexpr std::size_t value_bytes() {
#if defined(__x86_64__)
  return std::is_same_v<T, long double> ? 10 : sizeof(T);
#else
  return sizeof(T);
#endif
}

// Of few values and indices, so that values are often the same and the lowest index decides.
template <class Value, class Index>
class Pairs final : public Elements {
 public:
  explicit Pairs(ReduceOp op)
      : Elements(sizeof(Pair), {{0, value_bytes<Value>()}, {offsetof(Pair, index), sizeof(Index)}}),
        is_minimum_(op == ReduceOp::minimum_location) {}

  void put(std::uint64_t bits, std::byte* at) const override {
    const Pair pair = made_of(bits);
    std::memcpy(at, &pair.value, value_bytes<Value>());
    std::memcpy(at + offsetof(Pair, index), &pair.index, sizeof(Index));
  }

  bool is_reduction(std::span<const std::uint64_t> bits, const std::byte* at) const override {
    Pair result = made_of(bits.front());
    for (const std::uint64_t more : bits.subspan(1)) result = combined(result, made_of(more));
    return std::memcmp(&result.value, at, value_bytes<Value>()) == 0 &&
           std::memcmp(&result.index, at + offsetof(Pair, index), sizeof(Index)) == 0;
  }

 private:
  struct Pair {
    Value value;
    Index index;
  };

  static Pair made_of(std::uint64_t bits) {
    const auto number = [](std::uint64_t of) { return static_cast<int>(of % 13) - 6; };
    return {static_cast<Value>(number(bits)), static_cast<Index>(number(bits >> 32) * 1000)};
  }

  Pair combined(const Pair& a, const Pair& b) const {
    if (a.value == b.value) return {a.value, std::min(a.index, b.index)};
    return (a.value < b.value) == is_minimum_ ? a : b;
  }

  bool is_minimum_;
};

}  // namespace

std::unique_ptr<Elements> exact_elements(ElementType type, ReduceOp op) {
  switch (type) {
    case ElementType::int8:
      return std::make_unique<Integers<std::int8_t>>(op);
    case ElementType::int16:
      return std::make_unique<Integers<std::int16_t>>(op);
    case ElementType::int32:
      return std::make_unique<Integers<std::int32_t>>(op);
    case ElementType::int64:
      return std::make_unique<Integers<std::int64_t>>(op);
    case ElementType::byte:
    case ElementType::uint8:
      return std::make_unique<Integers<std::uint8_t>>(op);
    case ElementType::uint16:
      return std::make_unique<Integers<std::uint16_t>>(op);
    case ElementType::uint32:
      return std::make_unique<Integers<std::uint32_t>>(op);
    case ElementType::uint64:
      return std::make_unique<Integers<std::uint64_t>>(op);
    case ElementType::boolean:
      return std::make_unique<Truths<std::uint8_t>>(op);
    case ElementType::logical:
      return std::make_unique<Truths<std::uint32_t>>(op);
    case ElementType::float_int:
      return std::make_unique<Pairs<float, int>>(op);
    case ElementType::double_int:
      return std::make_unique<Pairs<double, int>>(op);
    case ElementType::long_int:
      return std::make_unique<Pairs<long, int>>(op);
    case ElementType::int_int:
      return std::make_unique<Pairs<int, int>>(op);
    case ElementType::short_int:
      return std::make_unique<Pairs<short, int>>(op);
    case ElementType::long_double_int:
      return std::make_unique<Pairs<long double, int>>(op);
    case ElementType::float_float:
      return std::make_unique<Pairs<float, float>>(op);
    case ElementType::double_double:
      return std::make_unique<Pairs<double, double>>(op);
    default:
      return nullptr;
  }
}

}  // namespace detour::parity
