// Cuts a payload: among flows by their shares, and each flow's part into chunks.
//
// All ranks cut at the same elements, so everything here is integer arithmetic on what is the same
// on all ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "detour/routing/plan.hpp"

namespace detour {

struct ElementRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  std::uint64_t end() const { return first + count; }
  auto operator<=>(const ElementRange&) const = default;
};

// One range per share, in order, without gaps. A part differs from its exact share by less than one
// element, so it may be empty.
std::vector<ElementRange> cut_by_shares(std::uint64_t element_count, std::span<const Share> shares);

// Chunks of a range: all of `chunk_elements` but the last, which has the rest.
std::uint64_t chunk_count(ElementRange range, std::uint64_t chunk_elements);
ElementRange chunk_of(ElementRange range, std::uint64_t chunk_elements, std::uint64_t index);

}  // namespace detour
