#include "tune/candidates.hpp"

#include <algorithm>

#include "tune/built_in_way.hpp"

namespace detour::tool {
namespace {

constexpr std::uint64_t kib = 1 << 10;

std::vector<std::uint64_t> chunks_of(const std::string& policy) {
  if (policy == "direct") return {whole_chunk, 64 * kib, 128 * kib, 256 * kib};
  return {64 * kib, 256 * kib};
}

// Only where results are summed straight from shared memory is there a choice of stores.
void add(std::vector<Way>& ways, const std::string& policy, std::uint64_t chunk_bytes,
         NodeLayout nodes) {
  std::vector<StoreChoice> stores{StoreChoice::automatic};
  if (policy == "direct" && nodes == NodeLayout::one) {
    stores = {StoreChoice::cached, StoreChoice::streamed};
  }
  for (const StoreChoice choice : stores) {
    const Way way{policy, chunk_bytes, choice};
    if (std::ranges::find(ways, way) == ways.end()) ways.push_back(way);
  }
}

}  // namespace

std::vector<Way> candidates(const std::vector<std::string>& policies, NodeLayout nodes,
                            int rank_count, std::span<const std::uint64_t> sizes_bytes) {
  std::vector<Way> ways;
  for (const std::uint64_t bytes : sizes_bytes) {
    const Way built_in = built_in_way({.operation = CallKind::allreduce,
                                       .nodes = nodes,
                                       .rank_count = rank_count,
                                       .bytes = bytes});
    add(ways, built_in.policy, built_in.chunk_bytes, nodes);
  }
  for (const std::string& policy : policies) {
    // On one node it means the same as `direct`.
    if (policy == "auto" && nodes == NodeLayout::one) continue;
    for (const std::uint64_t chunk_bytes : chunks_of(policy)) {
      add(ways, policy, chunk_bytes, nodes);
    }
  }
  return ways;
}

}  // namespace detour::tool
