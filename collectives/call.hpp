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
  // What this rank gets: so many bytes of the payload, from there on.
  std::byte* output = nullptr;
  std::uint64_t output_first_byte = 0;
  std::uint64_t output_bytes = 0;
  // By rank, in elements of the combiner: who gets, or gives, how much. For allgather and
  // reduce-scatter only.
  std::vector<std::uint64_t> block_counts;

  bool moves_data() const { return header.error == 0 && header.bytes > 0; }
  bool gets_everything() const { return output_bytes == header.bytes; }
};

}  // namespace detour
