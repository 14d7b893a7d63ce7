// How much memory there is, and how fast it is.
#pragma once

#include <cstdint>
#include <string_view>

#include "bench/peers.hpp"

namespace detour::tool {

// What programs can still have on this node without swapping; nothing known: the largest number.
std::uint64_t available_memory_bytes();

// GB/s, read and written together, of all ranks that copy at once.
double measure_copy_gbs(Peers& peers);

// Of what is available on its node each rank's equal share; the least of them, known to all ranks.
std::uint64_t least_memory_share(Peers& peers, int rank_count_on_node);

// Throws BadInput, on all ranks, if the ranks of any node need more for their buffers than it has. `who_needs` are the
// words to begin with: "the largest message needs".
void check_memory(Peers& peers, int rank_count_on_node, std::uint64_t bytes_per_rank,
                  std::string_view who_needs);

}  // namespace detour::tool
