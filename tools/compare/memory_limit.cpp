#include "compare/memory_limit.hpp"

#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace detour::tool {

void move_through_caches(std::byte* output, const std::byte* input, std::size_t bytes) {
  std::memcpy(output, input, bytes);
}

#ifdef __SSE2__

void move_past_caches(std::byte* output, const std::byte* input, std::size_t bytes) {
  constexpr std::size_t pack_bytes = sizeof(__m128i);
  constexpr std::size_t line_bytes = 4 * pack_bytes;
  // Buffers start on lines.
  const std::size_t end = bytes / line_bytes * line_bytes;
  for (std::size_t at = 0; at < end; at += line_bytes) {
    for (std::size_t part = 0; part < line_bytes; part += pack_bytes) {
      const auto pack = _mm_load_si128(reinterpret_cast<const __m128i*>(input + at + part));
      _mm_stream_si128(reinterpret_cast<__m128i*>(output + at + part), pack);
    }
  }
  std::memcpy(output + end, input + end, bytes - end);
  _mm_sfence();
}

void pass_over(std::byte* data, std::size_t bytes) {
  constexpr std::size_t pack_bytes = sizeof(__m128i);
  const std::size_t end = bytes / pack_bytes * pack_bytes;
  const __m128i ones = _mm_set1_epi32(1);
  for (std::size_t at = 0; at < end; at += pack_bytes) {
    auto* const place = reinterpret_cast<__m128i*>(data + at);
    _mm_store_si128(place, _mm_add_epi32(_mm_load_si128(place), ones));
  }
}

#else

void move_past_caches(std::byte* output, const std::byte* input, std::size_t bytes) {
  std::memcpy(output, input, bytes);
}

void pass_over(std::byte* data, std::size_t bytes) {
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
    std::uint64_t value = 0;
    std::memcpy(&value, data + at, sizeof value);
    ++value;
    std::memcpy(data + at, &value, sizeof value);
  }
}

#endif

}  // namespace detour::tool
