#include "shm/waiter.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <utility>

#include "shm/core_keeping.hpp"
#include "shm/pause_core.hpp"

namespace detour {

WaitPolicy WaitPolicy::for_load(std::size_t ranks_on_node, std::size_t core_count) {
  WaitPolicy policy;
  const bool is_crowded = ranks_on_node > core_count;
  policy.spin_count = is_crowded ? 0 : 2000;
  policy.stay_count = is_crowded ? 300 : 0;
  policy.yield_count = 100;
  return policy;
}

Waiter::Waiter(const WaitPolicy& policy, WaitHooks hooks)
    : policy_(policy), hooks_(std::move(hooks)) {
  policy_.sleep_slice =
      std::clamp(policy_.sleep_slice, std::chrono::microseconds(1), WaitPolicy::sleep_slice_max);
  policy_.idle_slice =
      std::clamp(policy_.idle_slice, policy_.sleep_slice, WaitPolicy::idle_slice_max);
  policy_.poll_every = std::max<std::uint32_t>(policy_.poll_every, 1);
  policy_.yields_per_poll = std::max<std::uint32_t>(policy_.yields_per_poll, 1);
}

WaitResult Waiter::wait_for(const Counter& counter, std::uint64_t value,
                            WaitClock::time_point deadline) const {
  const std::array<const Counter*, 1> counters{&counter};
  return wait_for_all({.counters = counters, .value = value}, deadline);
}

WaitResult Waiter::wait_for_all(const WaitList& awaited, WaitClock::time_point deadline) const {
  Patience patience;
  for (std::size_t at = 0; at < awaited.counters.size(); ++at) {
    // One after the other will do: counters don't fall, so those that came early are passed by.
    const auto result = wait(awaited, at, deadline, patience);
    if (result != WaitResult::reached) return result;
    if (awaited.has_shortcut() && awaited.shortcut.is_there()) break;
  }
  return WaitResult::reached;
}

// Looks, with nothing in between, until hooks are due: what comes meanwhile is seen at once.
template <class Predicate>
bool Waiter::spin_for(const Predicate& has_come, Patience& patience) const {
  if (has_come()) return true;
  if (patience.look_count >= policy_.spin_count) return false;
  const std::uint32_t left = policy_.poll_every - 1 - patience.look_count % policy_.poll_every;
  const std::uint32_t end = std::min(patience.look_count + left, policy_.spin_count);
  while (patience.look_count < end) {
    ++patience.look_count;
    pause_core();
    if (has_come()) return true;
  }
  return false;
}

WaitResult Waiter::wait(const WaitList& awaited, std::size_t at, WaitClock::time_point deadline,
                        Patience& patience) const {
  const Counter& counter = *awaited.counters[at];
  // Where there is something better to look at than counters, those are looked at only when hooks have their turn.
  const bool has_sign = awaited.has_shortcut() || !awaited.signs.empty();
  const auto has_come = [&] {
    return awaited.has_shortcut() ? awaited.shortcut.is_there() : awaited.is_there(at);
  };
  while (!spin_for(has_come, patience)) {
    const bool are_hooks_due = hooks_are_due(patience);
    if (!has_sign || are_hooks_due) {
      if (counter.load() >= awaited.value) break;
      // In this order: what was raised before the sealing counts.
      if (counter.is_sealed() && counter.load() < awaited.value) return WaitResult::sealed;
    }
    if (are_hooks_due) {
      if (hooks_.should_stop && hooks_.should_stop()) return WaitResult::stopped;
      if (WaitClock::now() >= deadline) return WaitResult::timed_out;
      if (hooks_.progress) hooks_.progress();
    }
    if (stays(patience) && may_keep_core(awaited, ::sched_getcpu())) {
      for (std::uint32_t looks = 0; looks < policy_.stay_count && !has_come(); ++looks) {
        pause_core();
      }
      if (has_come()) break;
    }
    pause(counter, awaited.value, deadline, patience);
  }
  return WaitResult::reached;
}

bool Waiter::keeps_core(const WaitList::Comers& comers) const {
  return policy_.stay_count > 0 && comers.arrivals != nullptr &&
         may_keep_core(comers, ::sched_getcpu());
}

// Not at the first look: most waits are over sooner than the clock could be read.
bool Waiter::hooks_are_due(const Patience& patience) const {
  const std::uint32_t look_count = patience.look_count;
  if (look_count < policy_.spin_count) {
    return look_count % policy_.poll_every == policy_.poll_every - 1;
  }
  const std::uint32_t yield_count = look_count - policy_.spin_count;
  return yield_count >= policy_.yield_count ||
         yield_count % policy_.yields_per_poll == policy_.yields_per_poll - 1;
}

std::chrono::microseconds Waiter::next_slice(Patience& patience) const {
  if (patience.slice_count >= policy_.slices_before_idle_count) {
    return hooks_.progress ? policy_.idle_slice_with_progress : policy_.idle_slice;
  }
  ++patience.slice_count;
  return policy_.sleep_slice;
}

void Waiter::pause(const Counter& counter, std::uint64_t value, WaitClock::time_point deadline,
                   Patience& patience) const {
  if (patience.look_count < policy_.spin_count) {
    ++patience.look_count;
    pause_core();
  } else if (yields(patience)) {
    ++patience.look_count;
    ::sched_yield();
  } else {
    const std::chrono::nanoseconds rest = deadline - WaitClock::now();
    counter.sleep_while_below(value,
                              std::min<std::chrono::nanoseconds>(rest, next_slice(patience)));
  }
}

}  // namespace detour
