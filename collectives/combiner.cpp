#include "collectives/combiner.hpp"

#include "collectives/streaming_copy.hpp"

namespace detour {

void Combiner::combine_twofold(std::byte* result, std::byte* copy,
                               std::span<const std::byte* const> inputs,
                               std::size_t element_count) const {
  combine(result, inputs, element_count);
  copy_past_caches(copy, result, element_count * element_bytes());
}

}  // namespace detour
