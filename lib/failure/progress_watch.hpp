// Tells which peers hang, from their signs of life. Pure: samples and the time are passed in.
//
// A peer hangs if for the time of the limit either
//   - it has not beaten: its process is stopped, as by SIGSTOP, or its detector's thread is stuck; or
//   - a collective operation was under way in it and did not get on, which waiting for others would count as.
// A peer that computes beats and has nothing under way: it never hangs, however long that takes.
//
// Whoever watches looks only at peers that it waits for, and forgets them in between: only time counts in which it
// waited. And only time counts that it saw pass: of that between two looks at most a part of the limit. An
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

class ProgressWatch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProgressWatch(std::chrono::nanoseconds limit) : limit_(limit) {}

  // How often peers beat, and how often they have to be looked at.
  static std::chrono::nanoseconds look_interval(std::chrono::nanoseconds limit) {
    return limit / 8;
  }

  // One look at one peer. What is wrong with it, in words, or nothing.
  std::optional<std::string> look(PeerId peer, const ProgressSample& sample, Clock::time_point now);

  // Of a peer that is gone, or not waited for.
  void forget(PeerId peer) { seen_.erase(peer); }

 private:
  struct Seen {
    ProgressSample sample;
    Clock::time_point time;
    std::chrono::nanoseconds beat_silence{0};
    std::chrono::nanoseconds progress_silence{0};
  };

  std::optional<std::string> judge(const Seen& seen) const;

  std::chrono::nanoseconds limit_;
  std::map<PeerId, Seen> seen_;
};

}  // namespace detour
