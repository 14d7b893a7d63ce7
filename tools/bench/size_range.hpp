// Message sizes as people type them: "64K", "4:64M", "1K:1M:4".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace detour::tool {

// One size, or FROM:TO with each size twice the one before it, or FROM:TO:FACTOR. Throws BadInput.
std::vector<std::uint64_t> parse_size_range(std::string_view option, std::string_view text);

struct SizeBounds {
  std::uint64_t from_bytes = 0;
  std::uint64_t to_bytes = 0;
};

// One size, or FROM:TO. Throws BadInput.
SizeBounds parse_size_bounds(std::string_view option, std::string_view text);

// Rounded up to whole elements.
std::uint64_t rounded_to_elements(std::uint64_t bytes, std::size_t element_bytes);
// The same for a list; what comes out twice is kept once.
std::vector<std::uint64_t> whole_elements(const std::vector<std::uint64_t>& sizes_bytes,
                                          std::size_t element_bytes);

}  // namespace detour::tool
