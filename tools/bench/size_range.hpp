// Message sizes as people type them: "64K", "4:64M", "1K:1M:4".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace detour::tool {

// One size, or FROM:TO with each size twice the one before it, or FROM:TO:FACTOR. Throws BadInput.
std::vector<std::uint64_t> parse_size_range(std::string_view option, std::string_view text);

// Rounded up to whole elements; what comes out twice is kept once.
std::vector<std::uint64_t> whole_elements(const std::vector<std::uint64_t>& sizes_bytes,
                                          std::size_t element_bytes);

}  // namespace detour::tool
