// A word in shared memory by which the kernel itself says that a process has died.
//
// It works like a robust mutex that one thread of the process (LifeHolder) holds from start to end: when
// that thread ends, for whatever reason, the kernel marks the word and wakes one sleeper, before it takes
// the process's memory apart: some 0.1 ms after a SIGKILL, however much memory there is. Nobody ever
// takes the lock over, so it is no mutex of the C library but a bare word, which has three advantages: it
// is death's record for all to read at any time, not a message for whom the kernel happens to wake; a
// sleeper can sleep on other words too; and nobody gets into possession of a dead one's lock.
//
//   word                        life       written by
//   thread id | FUTEX_WAITERS   alive      the owner. The second bit tells the kernel to wake somebody
//   FUTEX_OWNER_DIED | ...      dead       the kernel, or mark_dead() by a peer that knows for sure
//   0                           departed   the owner, who leaves on purpose (or has not begun: peers
//                                          may hear of a lock only after that)
//
// Dead does not mean quiet: the process's other threads may run on for some milliseconds.
#pragma once

#include <linux/futex.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "failure/peer_state.hpp"

namespace detour {

class LifeLock {
 public:
  // What the word was at a glance, for those who sleep until it is something else.
  using Glance = std::uint32_t;

  Glance glance() const { return word_.load(std::memory_order_acquire); }
  static Life life(Glance glance);
  Life life() const { return life(glance()); }
  const std::atomic<std::uint32_t>& word() const { return word_; }

  // By a peer that has seen the process's end by other means.
  void mark_dead();

  // Raised by peers who found a death: the owner's watching thread then looks at all of its peers.
  void tell_news();
  const std::atomic<std::uint32_t>& news() const { return news_; }

 private:
  friend class LifeHolder;

  robust_list entry_{};  // the kernel's list of what the owner holds; addresses are the owner's
  std::atomic<std::uint32_t> word_{0};
  std::atomic<std::uint32_t> news_{0};
};

}  // namespace detour
