// Signs of life of one process, in shared memory: numbers that change while it does something.
//
// Numbers and not times: processes may have different clocks (time namespaces). Peers note when they saw them change.
#pragma once

#include <atomic>
#include <cstdint>

namespace detour {

// What a process knows of itself.
struct OwnProgress {
  bool is_inside = false;  // a collective operation is under way
  std::uint64_t progress_count =
      0;  // changes when all that is under way has got on, waiting included
};

struct ProgressSample {
  OwnProgress own;
  std::uint64_t beat_count = 0;
};

// Written by the detector's thread of its process alone, a few times within the shortest limit: so a beat says that
// the process is not stopped, and the rest is as old as the beat. Nothing else hangs on these numbers, so the order in
// which others see them does not matter.
class ProgressLine {
 public:
  void beat(const OwnProgress& own) {
    is_inside_.store(own.is_inside, std::memory_order_relaxed);
    progress_count_.store(own.progress_count, std::memory_order_relaxed);
    beat_count_.fetch_add(1, std::memory_order_relaxed);
  }

  ProgressSample sample() const {
    return {{is_inside_.load(std::memory_order_relaxed),
             progress_count_.load(std::memory_order_relaxed)},
            beat_count_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<std::uint64_t> progress_count_{0};
  std::atomic<std::uint64_t> beat_count_{0};
  std::atomic<bool> is_inside_{false};
};

}  // namespace detour
