// How processes learn of deaths: the library's ring and its watch over silence decide, the simulation tells them what
// there is to see, late.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "failure/peer_ring.hpp"
#include "failure/progress_watch.hpp"
#include "sim/surroundings.hpp"

namespace detour::sim {

class SimDetectors {
 public:
  // `on_death(process, dead)`: that process has learned of it.
  SimDetectors(int process_count, Surroundings& surroundings, std::uint64_t delay_us_max,
               std::function<void(int, int)> on_death);

  // It has died: whoever watches it wakes up.
  void die(int process);
  // It stands still: it looks at nothing, and shows no sign of life.
  void pause(int process);
  void resume(int process);

  // Whether its lock says so, rightly or not.
  bool is_taken_for_dead(int process) const { return state(process).is_marked; }

 private:
  struct State {
    PeerRing ring;
    ProgressWatch watch;
    bool is_marked = false;  // its lock says that it is dead
    bool has_died = false;
    bool is_paused = false;
    bool is_waking = false;  // woken while it was paused
    std::uint64_t paused_since_us = 0;
  };

  const State& state(int process) const { return states_[static_cast<std::size_t>(process)]; }
  State& state(int process) { return states_[static_cast<std::size_t>(process)]; }
  static PeerId id(int process) { return static_cast<PeerId>(process) + 100; }
  static int process_of(PeerId id) { return static_cast<int>(id) - 100; }

  void mark(int process);
  void wake(int process);
  void look(int process);
  void look_for_hangs(int process);
  void plan_looks_for_hangs();
  std::uint64_t beat_count(int process) const;

  Surroundings& surroundings_;
  const std::uint64_t delay_us_max_;
  const std::function<void(int, int)> on_death_;
  std::vector<State> states_;
};

}  // namespace detour::sim
