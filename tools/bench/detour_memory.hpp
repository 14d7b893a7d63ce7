// Memory that all ranks of a node map, on page boundaries.
#pragma once

#include "bench/bench_buffers.hpp"

namespace detour::tool {

// From Detour_Alloc. Throws std::bad_alloc.
PageMemory allocate_from_detour(std::size_t bytes);

}  // namespace detour::tool
