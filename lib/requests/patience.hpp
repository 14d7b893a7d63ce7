// How somebody waits who can't sleep for long: MPI, and with it the program's own messages, makes progress
// only while somebody calls it.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>

#include "pending_operation.hpp"

namespace detour {

// What comes after the look number `look_count` in vain: at first nothing, then the core is left to others,
// then sleep in slices that grow to a millisecond, in a long wait to some, and in one of a quarter of a second to twenty: many
// ranks that share a core then leave it almost idle. The operation's own end is no later for that, because it wakes
// who sleeps; the program's messages may be.
inline void rest_between_looks(PendingOperation& operation, unsigned look_count) {
  constexpr unsigned spin_count = 50;
  constexpr unsigned yield_count = 50;
  constexpr std::chrono::microseconds first_slice{30};
  constexpr std::chrono::microseconds slice_max{1000};
  constexpr unsigned look_count_before_idle = 200;
  constexpr std::chrono::microseconds idle_slice{4000};
  constexpr unsigned look_count_before_long_idle = 240;
  constexpr std::chrono::microseconds long_idle_slice{20000};
  if (look_count < spin_count) return;
  if (look_count < spin_count + yield_count) {
    sched_yield();
    return;
  }
  if (look_count > look_count_before_idle) {
    operation.rest(look_count > look_count_before_long_idle ? long_idle_slice : idle_slice);
    return;
  }
  const unsigned doubling_count = std::min((look_count - spin_count - yield_count) / 8, 5u);
  operation.rest(std::min(first_slice * (1 << doubling_count), slice_max));
}

}  // namespace detour
