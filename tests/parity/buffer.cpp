#include "buffer.hpp"

#include <algorithm>
#include <cstring>

namespace detour::parity {
namespace {

constexpr std::size_t guard_bytes = 64;
constexpr std::size_t skew_count = 4;
constexpr std::byte filling{0xa5};

std::uint64_t extended(std::uint64_t digest, const std::byte* bytes, std::size_t count) {
  while (count > 0) {
    std::uint64_t word = 0;
    const std::size_t step = std::min(count, sizeof word);
    std::memcpy(&word, bytes, step);
    digest = (digest ^ word) * 0x9fb21c651e98df25;
    digest ^= digest >> 28;
    bytes += step;
    count -= step;
  }
  return digest;
}

}  // namespace

Buffer::Buffer(const Elements& elements, std::size_t element_count, std::uint64_t seed)
    : elements_(elements),
      element_count_(element_count),
      total_bytes_((element_count + skew_count) * elements.extent_bytes() + 2 * guard_bytes),
      memory_(new std::byte[total_bytes_]),
      first_(memory_.get() + guard_bytes + seed % skew_count * elements.extent_bytes()) {
  std::memset(memory_.get(), static_cast<int>(filling), total_bytes_);
}

bool Buffer::is_filling(const std::byte* first, const std::byte* end) const {
  return std::all_of(first, end, [](std::byte byte) { return byte == filling; });
}

bool Buffer::is_surrounded() const {
  return is_filling(memory_.get(), first_) && is_filling(end(), memory_.get() + total_bytes_);
}

bool Buffer::has_gaps_left() const {
  for (std::size_t i = 0; i < element_count_; ++i) {
    const std::byte* gap = element(i);
    for (const ByteRange& value : elements_.values()) {
      if (!is_filling(gap, element(i) + value.first)) return false;
      gap = element(i) + value.first + value.count;
    }
    if (!is_filling(gap, element(i + 1))) return false;
  }
  return true;
}

bool Buffer::is_untouched(std::size_t i) const {
  return is_filling(element(i), element(i + 1));
}

std::uint64_t Buffer::digest() const {
  return extended(0, memory_.get(), total_bytes_);
}

std::uint64_t Buffer::value_digest() const {
  const auto& values = elements_.values();
  if (values.size() == 1 && values.front().count == elements_.extent_bytes()) {
    return extended(0, first_, element_count_ * elements_.extent_bytes());
  }
  std::uint64_t digest = 0;
  for (std::size_t i = 0; i < element_count_; ++i) {
    for (const ByteRange& value : values) {
      digest = extended(digest, element(i) + value.first, value.count);
    }
  }
  return digest;
}

}  // namespace detour::parity
