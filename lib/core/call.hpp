// A collective call whose arguments have been looked at: plain memory, and what is to be done with it.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/call_header.hpp"
#include "collectives/combiner.hpp"

namespace detour {

struct Call {
  CallHeader header;
  const Combiner* combiner = nullptr;
  bool is_commutative = true;
  const std::byte* input = nullptr;  // may be the output
  std::byte* output = nullptr;
  // By rank, in elements of the combiner: who gets, or gives, how much. For allgather and
  // reduce-scatter only.
  std::vector<std::uint64_t> block_counts;
};

}  // namespace detour
