#include "collectives/chunking.hpp"

#include <algorithm>
#include <numeric>

namespace detour {

std::vector<ElementRange> cut_by_shares(std::uint64_t element_count,
                                        std::span<const Share> shares) {
  __extension__ using Wide = unsigned __int128;  // elements times shares may exceed 64 bits
  const auto total = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
  std::vector<ElementRange> ranges;
  ranges.reserve(shares.size());
  std::uint64_t before = 0;
  std::uint64_t first = 0;
  for (const Share share : shares) {
    before += share;
    const auto end = static_cast<std::uint64_t>(Wide{element_count} * before / total);
    ranges.push_back({first, end - first});
    first = end;
  }
  return ranges;
}

std::uint64_t chunk_count(ElementRange range, std::uint64_t chunk_elements) {
  return range.count / chunk_elements + (range.count % chunk_elements == 0 ? 0 : 1);
}

ElementRange chunk_of(ElementRange range, std::uint64_t chunk_elements, std::uint64_t index) {
  const std::uint64_t offset = index * chunk_elements;
  return {range.first + offset, std::min(chunk_elements, range.count - offset)};
}

}  // namespace detour
