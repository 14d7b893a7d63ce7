// Signs of life of one process, in shared memory: numbers that change while it does something.
//
// Numbers and not times: raising one costs its writer next to nothing, and processes may have different
// clocks (time namespaces). Peers note when they saw them change. Progress is every turn that the
// library's loops take, those of waiting too: a rank that waits for a slow one does not hang.
#pragma once

#include <atomic>
#include <cstdint>

namespace detour {

struct ProgressSample {
  std::uint64_t progress_count = 0;
  std::uint64_t helper_beat_count = 0;  // 0: it has no helper that says anything
  bool is_inside = false;               // a collective
};

// Written by its process alone, by several of its threads. Nothing else hangs on these numbers, so the
// order in which others see them does not matter.
class ProgressLine {
 public:
  void enter_collective() {
    inside_count_.fetch_add(1, std::memory_order_relaxed);
    made_progress();
  }
  void leave_collective() {
    inside_count_.fetch_sub(1, std::memory_order_relaxed);
    made_progress();
  }
  void made_progress() { progress_count_.fetch_add(1, std::memory_order_relaxed); }
  // By the helper, at least a few times within the shortest limit.
  void helper_beat() { helper_beat_count_.fetch_add(1, std::memory_order_relaxed); }

  ProgressSample sample() const {
    return {progress_count_.load(std::memory_order_relaxed),
            helper_beat_count_.load(std::memory_order_relaxed),
            inside_count_.load(std::memory_order_relaxed) > 0};
  }

 private:
  std::atomic<std::uint64_t> progress_count_{0};
  std::atomic<std::uint64_t> helper_beat_count_{0};
  std::atomic<std::int32_t> inside_count_{0};
};

}  // namespace detour
