// What all bare calls do with the data: cut it into slices, and copy it.
#pragma once

#include <cstddef>

namespace detour::tool {

struct Slice {
  std::size_t first_byte;
  std::size_t bytes;
};

// Of so many bytes of floats the part that a rank reduces.
Slice slice_of(std::size_t rank, std::size_t rank_count, std::size_t bytes);

void copy(std::byte* to, const std::byte* from, std::size_t bytes, bool past_caches);

}  // namespace detour::tool
