// What a kill between create and unlink() leaves in /dev/shm.
#pragma once

#include <cstddef>

namespace detour {

// Removes the names of heaps of this user whose owners have ended, in whatever PID namespace they were, and gives
// their number. A heap stays while a forked child of its owner still has the file, and for a minute if the owner ended
// before it had locked it: better one too few.
std::size_t remove_stale_heaps();

}  // namespace detour
