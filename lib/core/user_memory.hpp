// Memory in this process's heap that the program has asked for.
#pragma once

#include <cstddef>

namespace detour {

// Starts at a cache line. Null if there is not enough; never null for 0 bytes otherwise.
void* allocate_user_memory(std::size_t bytes);

// False if it is no such memory.
bool free_user_memory(void* memory);

}  // namespace detour
