// Memory in this process's heap that the program has: because it has asked for that, or in place of ordinary memory.
// The other ranks of the node map it, so that operations need no copies of what is in it.
//
// A child that the program forks has a copy of its own, see SharedHeap::become_childs_copy, and gets no more of it.
//
// Any thread may call anything here.
#pragma once

#include <cstddef>

#include "detour/routing/api.hpp"

namespace detour {

// Starts at a page, or at a cache line if it is smaller than one; at a huge page if it is as large as one and there is
// room. Null if there is not enough; never null for 0 bytes otherwise.
void* allocate_user_memory(std::size_t bytes);

// In place of ordinary memory, while MPI runs: null if the library might come to want the room itself, or if there is
// no heap that takes memory only where it is used. Starts at a page.
DETOUR_API void* lend_user_memory(std::size_t bytes);

// False if none starts there.
DETOUR_API bool free_user_memory(void* memory);

}  // namespace detour
