#include "operations/verdict_combiner.hpp"

#include <cstring>

namespace detour {

void VerdictCombiner::combine(std::byte* result, std::span<const std::byte* const> inputs,
                              std::size_t element_count) const {
  // Messages may lie anywhere.
  const auto load = [](const std::byte* from) {
    CallVerdict verdict;
    std::memcpy(&verdict, from, sizeof verdict);
    return verdict;
  };
  for (std::size_t at = 0; at < element_count; ++at) {
    const std::size_t offset = at * sizeof(CallVerdict);
    CallVerdict merged = load(inputs[0] + offset);
    for (const std::byte* input : inputs.subspan(1)) merged = merge(merged, load(input + offset));
    std::memcpy(result + offset, &merged, sizeof merged);
  }
}

}  // namespace detour
