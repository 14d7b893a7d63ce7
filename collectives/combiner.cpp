#include "collectives/combiner.hpp"

#include <algorithm>
#include <vector>

#include "collectives/streaming_copy.hpp"

namespace detour {

void Combiner::combine_twofold(std::byte* result, std::byte* copy,
                               std::span<const std::byte* const> inputs,
                               std::size_t element_count) const {
  combine(result, inputs, element_count);
  copy_past_caches(copy, result, element_count * element_bytes());
}

// Block by block, each of which is formed in the cache and copied from there.
void Combiner::combine_twofold_past_caches(std::byte* result, std::byte* copy,
                                           std::span<const std::byte* const> inputs,
                                           std::size_t element_count) const {
  alignas(64) std::byte block[8 << 10];
  const std::size_t block_element_count = sizeof block / element_bytes();
  if (block_element_count == 0) return combine_twofold(result, copy, inputs, element_count);
  std::vector<const std::byte*> at(inputs.begin(), inputs.end());
  while (element_count > 0) {
    const std::size_t count = std::min(block_element_count, element_count);
    const std::size_t bytes = count * element_bytes();
    combine(block, at, count);
    copy_past_caches(result, block, bytes);
    copy_past_caches(copy, block, bytes);
    for (const std::byte*& input : at) input += bytes;
    result += bytes;
    copy += bytes;
    element_count -= count;
  }
}

}  // namespace detour
