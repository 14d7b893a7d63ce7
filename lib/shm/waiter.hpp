// Waiting for counters: first spinning, then letting others run, then asleep.
//
// Every wait is bounded: by its deadline, and by a stop predicate that is asked between spins and
// after every slice of sleep. In between the program's own communication gets its turn, because a
// peer may be unable to raise the counter before it does.
//
// Each slice costs 4 to 7 us of processor time: 16 ranks that make progress every millisecond use
// 7 to 11 % of a core. So slices get longer in a wait that lasts: for the program's communication to
// some milliseconds, for who has none to look after, a helper thread say, to more. A stop that can't
// wait for their end is made known with Counter::wake.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

#include "shm/pause_core.hpp"
#include "shm/wait_list.hpp"

namespace detour {

using WaitClock = std::chrono::steady_clock;

struct WaitPolicy {
  static constexpr std::chrono::microseconds sleep_slice_max{1000};
  static constexpr std::chrono::microseconds idle_slice_max{10000};

  std::uint32_t spin_count = 0;   // looks with a pause in between
  std::uint32_t yield_count = 0;  // then looks that leave the core to others
  std::uint32_t stay_count = 0;  // before each of those, where it may be kept: see core_keeping.hpp
  std::uint32_t poll_every = 256;  // spins between two turns of the hooks,
  std::uint32_t yields_per_poll = 4;
  std::chrono::microseconds sleep_slice = sleep_slice_max;
  // So many slices of sleep, then longer ones.
  std::uint32_t slices_before_idle_count = 50;
  std::chrono::microseconds idle_slice = idle_slice_max;
  std::chrono::microseconds idle_slice_with_progress{8000};

  // With more ranks than cores whoever is waited for may need this very core.
  static WaitPolicy for_load(std::size_t ranks_on_node, std::size_t core_count);
};

// Either may be empty. Both run in the waiting thread, often: they have to be quick.
struct WaitHooks {
  std::function<void()> progress;
  std::function<bool()> should_stop;
};

enum class WaitResult {
  reached,
  sealed,  // below the value, and will stay there
  stopped,
  timed_out,
};

class Waiter {
 public:
  explicit Waiter(const WaitPolicy& policy, WaitHooks hooks = {});

  // A value that is there already counts as reached, whatever hooks and deadline would say.
  WaitResult wait_for(const Counter& counter, std::uint64_t value,
                      WaitClock::time_point deadline = WaitClock::time_point::max()) const;

  // A few looks at what has_come() tells, without hooks: as long as wait_for_all() would not have called one. Gives what the
  // last look did. Whoever has come to the awaited event, as far as comers tell, does not need this core.
  template <class Predicate>
  bool look_for_a_moment(const Predicate& has_come, const WaitList::Comers& comers) const;

  // Until all of them are there, in whatever order they come, or the list's shortcut is. Where there are signs, or a
  // shortcut, those are looked at, and counters only when hooks have their turn.
  [[gnu::hot]] WaitResult wait_for_all(
      const WaitList& awaited, WaitClock::time_point deadline = WaitClock::time_point::max()) const;

 private:
  // How often one wait has looked in vain. Waiting for many counters is one wait: it does not start
  // to spin anew with each.
  struct Patience {
    std::uint32_t look_count = 0;
    std::uint32_t slice_count = 0;
  };

  // For one of the list's.
  [[gnu::hot]] WaitResult wait(const WaitList& awaited, std::size_t at,
                               WaitClock::time_point deadline, Patience& patience) const;
  template <class Predicate>
  bool spin_for(const Predicate& has_come, Patience& patience) const;
  [[gnu::hot]] void pause(const Counter& counter, std::uint64_t value,
                          WaitClock::time_point deadline, Patience& patience) const;
  bool hooks_are_due(const Patience& patience) const;
  bool yields(const Patience& patience) const {
    return patience.look_count - policy_.spin_count < policy_.yield_count;
  }
  bool stays(const Patience& patience) const {
    return policy_.stay_count > 0 && patience.look_count >= policy_.spin_count && yields(patience);
  }
  std::chrono::microseconds next_slice(Patience& patience) const;

  bool keeps_core(const WaitList::Comers& comers) const;

  WaitPolicy policy_;
  WaitHooks hooks_;
};

template <class Predicate>
bool Waiter::look_for_a_moment(const Predicate& has_come, const WaitList::Comers& comers) const {
  for (std::uint32_t looks = 1; looks < std::min(policy_.spin_count, policy_.poll_every); ++looks) {
    if (has_come()) return true;
    pause_core();
  }
  if (policy_.spin_count > 0) return has_come();
  for (std::uint32_t yields = 1; yields < policy_.yields_per_poll; ++yields) {
    const std::uint32_t stays = keeps_core(comers) ? policy_.stay_count : 0;
    for (std::uint32_t looks = 0; looks < stays && !has_come(); ++looks) pause_core();
    if (has_come()) return true;
    ::sched_yield();
  }
  return has_come();
}

}  // namespace detour
