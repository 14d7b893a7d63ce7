#include "shm/core_keeping.hpp"

#include <cstddef>

namespace detour {
namespace {

// With so many on a core, all the others have their turns first. With two there is only one other: to switch to it takes
// about as long as what is awaited, and if that has come by then, both can go on.
constexpr std::size_t crowd_count = 3;

}  // namespace

// Ranks seldom move: as many as last time are going to come from here.
bool may_keep_core(const WaitList::Comers& comers, int core) {
  const Arrivals::Tally now = comers.arrivals->tally(comers.event);
  const std::size_t here = now.from(core);
  return now.all() >= comers.count || (here >= crowd_count && here >= comers.last.from(core));
}

bool may_keep_core(const WaitList& awaited, int core) {
  if (awaited.comers.arrivals != nullptr) return may_keep_core(awaited.comers, core);
  std::size_t count_here = 0;
  bool all_are_there = true;
  for (std::size_t at = 0; at < awaited.counters.size(); ++at) {
    const bool is_here = awaited.counters[at]->core() == core;
    const bool is_there = awaited.is_there(at);
    // It can't get on before it has this core.
    if (is_here && !is_there) return false;
    all_are_there &= is_there;
    if (is_here) ++count_here;
  }
  // If all are there, one of them is just about to tell what comes of it.
  return all_are_there || count_here >= crowd_count;
}

}  // namespace detour
