// When a communicator got over the loss of members, as this rank saw it.
//
//   notice() ... [see_broken()] agree() begin_again() ... complete()
//
// Several losses that one operation gets over are one recovery: of what happens more than once the first
// noticing and the first broken attempt count, and the last agreement and the last beginning. An operation that met
// no broken attempt has none.
//
// notice() is for the thread that learns of deaths, last() for any. The others are for whoever carries out the
// communicator's operations, one at a time. complete() comes at the end of every operation, so it costs one
// comparison there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace detour {

// Nanoseconds of CLOCK_MONOTONIC, which all processes of a node share. Zero for what has not happened.
struct RecoveryTimes {
  std::uint64_t count = 0;         // of recoveries so far, this one included
  std::uint64_t noticed_ns = 0;    // this rank learnt of a death
  std::uint64_t broken_ns = 0;     // the attempt under way turned out to be broken
  std::uint64_t agreed_ns = 0;     // this rank knows who goes on
  std::uint64_t begun_ns = 0;      // the new attempt has its plan and begins
  std::uint64_t completed_ns = 0;  // it is done
};

class RecoveryRecord {
 public:
  // A member's process has died. Hearing of it again changes nothing.
  void notice(std::uint64_t process);

  void see_broken();
  void agree();
  void begin_again();

  // An operation has ended well, without so many of the members that there were once.
  void complete(std::size_t lost_count) {
    if (lost_count != settled_count_) settle(lost_count);
  }

  // The last one that was completed.
  RecoveryTimes last() const;

 private:
  void settle(std::size_t lost_count);

  mutable std::mutex mutex_;  // guards what follows
  std::size_t settled_count_ =
      0;  // complete(), in the only thread that changes it, needs no lock to look at it
  std::vector<std::uint64_t> noticed_;
  RecoveryTimes current_;
  RecoveryTimes last_;
};

}  // namespace detour
