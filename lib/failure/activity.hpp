// Which communicators have operations under way in this process, with whom, and whether they get on: what the
// detector has to know to tell a rank that hangs from one that waits or computes.
//
// Whoever carries out a communicator's operations, one at a time, says so in its Activity; each word costs a store.
// The detector's thread looks at all of them some times a second. What it sees may be a moment old.
//
// One turn may take long: a copy of many gigabytes, whose memory has to be found first. So a thread that works counts as
// getting on: it hangs only if it also has used no processor time since the last look.
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "failure/peer_state.hpp"
#include "failure/progress_line.hpp"

namespace detour {

class Activity {
 public:
  // `companions`: the other processes of this node that operations may have to wait for, in any order.
  explicit Activity(std::vector<PeerId> companions);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  // From the begin of an operation to its end, a nonblocking one's too.
  void begin() {
    is_inside_.store(true, std::memory_order_relaxed);
    moved();
  }
  void end() { is_inside_.store(false, std::memory_order_relaxed); }
  // Any thread; a moment old.
  bool is_inside() const { return is_inside_.load(std::memory_order_relaxed); }
  // In every turn of whatever loop carries the operation on, also if there was nothing to do but wait: at least a few
  // times a second.
  void moved() {
    thread_clock_.store(own_thread_clock(), std::memory_order_relaxed);
    move_count_.store(move_count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

 private:
  friend class Activities;

  // Of the processor time that the calling thread has used.
  [[gnu::hot]] static clockid_t own_thread_clock();

  std::atomic<std::uint64_t> move_count_{0};
  std::atomic<clockid_t> thread_clock_{CLOCK_REALTIME};  // of the thread that moved last
  std::atomic<bool> is_inside_{false};
  const std::vector<PeerId> companions_;  // ascending

  // For the detector's thread alone.
  std::uint64_t seen_move_count_ = 0;
  std::int64_t seen_thread_ns_ = 0;
  std::uint64_t moved_at_look_ = 0;
};

// An operation is under way as long as this lives.
class Inside {
 public:
  explicit Inside(Activity& activity) : activity_(activity) { activity_.begin(); }
  ~Inside() { activity_.end(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Activity& activity_;
};

// Of all activities of this process; for the detector's thread.
OwnProgress look_at_own_progress();
// Whether an operation is under way that the other process belongs to.
bool waits_for(PeerId process);

}  // namespace detour
