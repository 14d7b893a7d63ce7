#include "compare/bare_parts.hpp"

#include <cstring>

#include "collectives/streaming_copy.hpp"

namespace detour::tool {

Slice slice_of(std::size_t rank, std::size_t rank_count, std::size_t bytes) {
  const std::size_t elements = bytes / sizeof(float);
  const std::size_t first = elements * rank / rank_count;
  const std::size_t end = elements * (rank + 1) / rank_count;
  return {first * sizeof(float), (end - first) * sizeof(float)};
}

void copy(std::byte* to, const std::byte* from, std::size_t bytes, bool past_caches) {
  if (past_caches) {
    copy_past_caches(to, from, bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace detour::tool
