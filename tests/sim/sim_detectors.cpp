#include "sim/sim_detectors.hpp"

#include <algorithm>
#include <utility>

namespace detour::sim {
namespace {

constexpr std::uint64_t beat_us = 500;
constexpr std::uint64_t hang_look_us = 2000;
// The longest sleep of a process whose watched peer does nothing: it covers for watchers that stand still.
constexpr std::uint64_t slice_us = 100'000;

constexpr std::chrono::milliseconds hang_limit{20};

}  // namespace

SimDetectors::SimDetectors(int process_count, Surroundings& surroundings,
                           std::uint64_t delay_us_max, std::function<void(int, int)> on_death)
    : surroundings_(surroundings), delay_us_max_(delay_us_max), on_death_(std::move(on_death)) {
  for (int process = 0; process < process_count; ++process) {
    State& added = states_.emplace_back(State{PeerRing(id(process)), ProgressWatch(hang_limit)});
    for (int peer = 0; peer < process_count; ++peer) added.ring.add(id(peer));
  }
}

void SimDetectors::die(int process) {
  state(process).has_died = true;
  mark(process);
}

// The kernel wakes whoever sleeps on the lock.
void SimDetectors::mark(int process) {
  if (std::exchange(state(process).is_marked, true)) return;
  bool anybody_is_paused = false;
  for (int other = 0; other < static_cast<int>(states_.size()); ++other) {
    anybody_is_paused |= state(other).is_paused;
    if (other != process && state(other).ring.watched() == id(process)) wake(other);
  }
  if (!anybody_is_paused) return;
  for (int other = 0; other < static_cast<int>(states_.size()); ++other) {
    surroundings_.agenda.plan(slice_us, [this, other] { look(other); });
  }
}

void SimDetectors::wake(int process) {
  surroundings_.agenda.plan(1 + surroundings_.below(delay_us_max_),
                            [this, process] { look(process); });
}

void SimDetectors::look(int process) {
  State& own = state(process);
  if (own.has_died) return;
  if (own.is_paused) {
    own.is_waking = true;
    return;
  }
  std::vector<int> found;
  own.ring.begin_look();
  for (const PeerId peer : own.ring.peers()) {
    const bool is_marked = state(process_of(peer)).is_marked;
    if (own.ring.lock_says(peer, is_marked ? Life::dead : Life::alive)) {
      found.push_back(process_of(peer));
    }
  }
  if (own.ring.end_look()) {
    for (const PeerId peer : own.ring.not_gone()) wake(process_of(peer));
  }
  for (const int dead : found) on_death_(process, dead);
}

void SimDetectors::pause(int process) {
  state(process).is_paused = true;
  state(process).paused_since_us = surroundings_.agenda.now_us();
  plan_looks_for_hangs();
}

void SimDetectors::resume(int process) {
  State& own = state(process);
  own.is_paused = false;
  if (std::exchange(own.is_waking, false)) look(process);
}

void SimDetectors::plan_looks_for_hangs() {
  for (int process = 0; process < static_cast<int>(states_.size()); ++process) {
    surroundings_.agenda.plan(hang_look_us, [this, process] { look_for_hangs(process); });
  }
}

std::uint64_t SimDetectors::beat_count(int process) const {
  const State& of = state(process);
  const std::uint64_t until_us = of.is_paused ? of.paused_since_us : surroundings_.agenda.now_us();
  return 1 + until_us / beat_us;
}

// A suspect is killed on its node, and its lock marked. Here it is not killed: its next call must tell it.
void SimDetectors::look_for_hangs(int process) {
  State& own = state(process);
  const bool anybody_is_paused = std::any_of(
      states_.begin(), states_.end(),
      [](const State& other) { return other.is_paused && !other.has_died && !other.is_marked; });
  if (own.has_died || !anybody_is_paused) return;
  surroundings_.agenda.plan(hang_look_us, [this, process] { look_for_hangs(process); });
  if (own.is_paused) return;
  const ProgressWatch::Clock::time_point now{
      std::chrono::microseconds(surroundings_.agenda.now_us())};
  for (const PeerId peer : own.ring.not_gone()) {
    const ProgressSample sample{.own = {}, .beat_count = beat_count(process_of(peer))};
    if (state(process_of(peer)).has_died || !own.watch.look(peer, sample, now)) continue;
    own.ring.suspect(peer);
    mark(process_of(peer));
    wake(process);
  }
}

}  // namespace detour::sim
