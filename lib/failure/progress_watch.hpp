// Tells which peers hang, from their signs of life. Pure: samples and the time are passed in.
//
// Only time that the observer saw pass counts: of the time between two looks at most `look_gap_max`. An
// observer that was stopped itself, as with a whole job that is suspended and continued or a machine that slept, would
// otherwise find everybody silent for hours and have them killed.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "failure/peer_state.hpp"
#include "failure/progress_line.hpp"

namespace detour {

// How long the same numbers are put up with. Unset: for ever.
struct HangLimits {
  std::optional<std::chrono::nanoseconds> computing = {};
  std::optional<std::chrono::nanoseconds> inside_collective = std::chrono::seconds(10);
  std::optional<std::chrono::nanoseconds> helper = std::chrono::seconds(10);

  static HangLimits none() { return {{}, {}, {}}; }
  bool any() const { return computing || inside_collective || helper; }
};

class ProgressWatch {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds look_gap_max{500};

  explicit ProgressWatch(const HangLimits& limits) : limits_(limits) {}

  // One look at one peer. What is wrong with it, in words, or nothing.
  std::optional<std::string> look(PeerId peer, const ProgressSample& sample, Clock::time_point now);

  // Of a peer that is gone.
  void forget(PeerId peer) { seen_.erase(peer); }

 private:
  struct Seen {
    ProgressSample sample;
    Clock::time_point time;
    std::chrono::nanoseconds progress_silence{0};
    std::chrono::nanoseconds helper_silence{0};
  };

  std::optional<std::string> judge(const Seen& seen) const;

  HangLimits limits_;
  std::map<PeerId, Seen> seen_;
};

}  // namespace detour
