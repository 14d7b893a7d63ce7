// What a kill between create and unlink() leaves in /dev/shm.
#pragma once

#include <cstddef>

namespace detour {

// Removes the names of heaps of this user whose owners have ended. Gives their number. A heap stays
// if its owner's number was used again by a live process, or if a forked child of the owner still
// has the file: better one too few.
std::size_t remove_stale_heaps();

}  // namespace detour
