// The program's own large allocations in this process's heap, where DETOUR_SHARED_MALLOC asks for that and
// libdetour_malloc.so is preloaded: see malloc/shared_allocator.hpp.
#pragma once

#include "detour/routing/api.hpp"

namespace detour {

// Once this process may have a heap that others map.
DETOUR_API void begin_shared_malloc();

}  // namespace detour
