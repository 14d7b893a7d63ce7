// Elements that a test can make, and of which it knows the reduction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "collectives/element_type.hpp"
#include "collectives/reduce_op.hpp"

namespace detour::parity {

// Well mixed: neighbouring numbers give unrelated ones.
constexpr std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

struct ByteRange {
  std::size_t first;
  std::size_t count;
};

// One datatype under one operation. Contributions are made of random bits, so that every rank can
// tell what any other has contributed without being told by a library that is under test.
class Elements {
 public:
  Elements(std::size_t extent_bytes, std::vector<ByteRange> values)
      : extent_bytes_(extent_bytes), values_(std::move(values)) {}
  virtual ~Elements() = default;
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  // Writes the bytes that have a meaning, and no others.
  virtual void put(std::uint64_t bits, std::byte* at) const = 0;

  // Whether this is what the elements made of these bits reduce to, in this order.
  virtual bool is_reduction(std::span<const std::uint64_t> bits, const std::byte* at) const = 0;

  // From one element to the next.
  std::size_t extent_bytes() const { return extent_bytes_; }

  // The bytes of an element that have a meaning; the rest is padding.
  const std::vector<ByteRange>& values() const { return values_; }

 private:
  std::size_t extent_bytes_;
  std::vector<ByteRange> values_;
};

// Integers, truth values and pairs: the result is known to the bit.
std::unique_ptr<Elements> exact_elements(ElementType type, ReduceOp op);

// Floating-point numbers, real and complex: the result is known to within rounding errors.
std::unique_ptr<Elements> floating_elements(ElementType type, ReduceOp op);

}  // namespace detour::parity
