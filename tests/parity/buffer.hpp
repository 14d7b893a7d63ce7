// A buffer of the test's: what surrounds its elements, and lies between them, must stay as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "elements.hpp"

namespace detour::parity {

class Buffer {
 public:
  // At some distance from where memory was given, so that alignments vary.
  Buffer(const Elements& elements, std::size_t element_count, std::uint64_t seed);

  void* data() { return first_; }
  std::byte* element(std::size_t i) { return first_ + i * elements_.extent_bytes(); }
  const std::byte* element(std::size_t i) const { return first_ + i * elements_.extent_bytes(); }

  // The bytes before and after the elements are what they were.
  bool is_surrounded() const;
  // So are those inside of an element that have no meaning.
  bool has_gaps_left() const;
  // So is all of an element that nothing was ever put into.
  bool is_untouched(std::size_t i) const;

  // Of all bytes.
  std::uint64_t digest() const;
  // Of the bytes that have a meaning.
  std::uint64_t value_digest() const;

 private:
  bool is_filling(const std::byte* first, const std::byte* end) const;
  const std::byte* end() const { return element(element_count_); }

  const Elements& elements_;
  std::size_t element_count_;
  std::size_t total_bytes_;
  std::unique_ptr<std::byte[]> memory_;
  std::byte* first_;
};

}  // namespace detour::parity
