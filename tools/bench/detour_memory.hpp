// Memory that all ranks of a node map, on page boundaries.
#pragma once

#include <cstdint>

#include "bench/bench_buffers.hpp"

namespace detour::tool {

// Lets the library have this much more shared memory than it usually has, unless its user has decided on it. Before it
// is first used. What is not used takes no room.
void make_room_in_library(std::uint64_t bytes);

// From Detour_Alloc. Throws std::bad_alloc.
PageMemory allocate_from_detour(std::size_t bytes);

}  // namespace detour::tool
