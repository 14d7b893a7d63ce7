// Whether to leave one's core to others while one waits, where ranks have to share cores.
//
// To leave it, and to get it back, takes about a microsecond each for every rank that has a turn in between. So a look that
// comes a moment too early costs a whole round of turns, and who is awaited may be on another core, where it does not need
// this one at all. Counters tell where their owners were last: only a hint, for ranks may move at any time. It decides who
// waits how, never what comes of it.
#pragma once

#include "shm/wait_list.hpp"

namespace detour {

// For a moment, if there was nothing to see at the last look, by a thread on this core.
[[gnu::hot]] bool may_keep_core(const WaitList& awaited, int core);
// By those who have come alone.
[[gnu::hot]] bool may_keep_core(const WaitList::Comers& comers, int core);

}  // namespace detour
