// A number in shared memory that is raised and waited for: by one rank for many to see (raise_to), or
// by many ranks as a doorbell for one (add_one).
//
// What was written before it was raised is there for whoever reads the new value.
//
// Sleepers leave a mark, so that raising costs a system call only when somebody sleeps. No wake-up is
// lost:
//
//   raiser                              sleeper
//   1  value = new                      a  mark = 1
//   2  read mark; if it is 1:           b  read value; if it is the old one:
//   3    mark = 0                       c    sleep, if the mark still is 1 (the kernel checks)
//   4    wake all
//
// 1, 2, a and b are sequentially consistent, so they have one order that all agree on: either b comes
// after 1 and sees the new value, or 2 comes after a and sees the mark. (With release and acquire
// alone both could read the old.) If the mark is taken between a and c, the kernel's check in c fails;
// if after c, the wake in 4 comes later still. Sleeping on the mark instead of on the value is what
// makes it safe to take the mark. Counting sleepers would not do: one that is killed asleep would
// never be taken off, and every later raise would call the kernel.
//
// Several raisers: the above holds for each of them and the sleeper, as 1 is then an atomic addition.
// What one raiser can do to another is take the mark before the other reads it. But whoever takes a mark
// wakes all afterwards: a sleeper whose mark is gone before c does not fall asleep, and one that slept
// before is woken in 4. Two that both saw the mark wake twice, which does no harm. Who is killed between
// 3 and 4 leaves a sleeper without a mark; it sleeps to the end of its time limit, so that has to be short.
//
// A doorbell tells that something has changed, not what: read it, look at everything, and if there was
// nothing to do wait for one more than was read. A change made before the ringing is either seen
// by the look or rings after the reading, so the wait ends at once.
//
// Others may seal a counter whose owner is dead, or is to be taken for dead: from then on it stays as it is,
// whatever a thread of the owner's that still runs tries. Raising and sealing are atomic changes of one
// word, so that one of them is first, and all who read it after the sealing read the same.
#pragma once

#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>

#include "protocol_switches.hpp"
namespace detour {

// 128 bytes and not 64: processors fetch cache lines in pairs.
class alignas(128) Counter {
 public:
  // In memory of at least sizeof(Counter), suitably aligned. The owner makes it, 0, before others
  // look for it.
  static Counter& create_at(std::byte* place);
  static Counter& at(std::byte* place) { return *std::launder(reinterpret_cast<Counter*>(place)); }

  std::uint64_t load() const { return value_.load(std::memory_order_acquire) & ~sealed_bit; }

  // By one thread of one rank at a time, never to a smaller value. A counter is either raised to values
  // or added to, never both. False, and nothing happens, if it is sealed.
  bool raise_to(std::uint64_t value) {
    std::uint64_t before = value_.load(std::memory_order_relaxed);
    if ((before & sealed_bit) != 0 && !protocol_switches.raise_sealed) return false;
    if (protocol_switches.raise_sealed) value |= before & sealed_bit;
    if (!value_.compare_exchange_strong(before, value, std::memory_order_seq_cst)) return false;
    if (sleeping_.load(std::memory_order_seq_cst) != 0) wake();
    note_core();
    return true;
  }

  // The core on which it was last raised: where its owner most likely is, for those who wait and might need that very
  // core to let it run. Only a hint; -1 if it was never raised.
  int core() const { return core_.load(std::memory_order_relaxed); }

  // By anybody, any number of times. Wakes all who sleep. Gives the value that stays.
  std::uint64_t seal();
  bool is_sealed() const { return (value_.load(std::memory_order_acquire) & sealed_bit) != 0; }

  // By any number of threads and ranks.
  void add_one() {
    value_.fetch_add(1, std::memory_order_seq_cst);
    if (sleeping_.load(std::memory_order_seq_cst) != 0) wake();
  }

  // Lets all sleepers look again, at whatever made their waiting pointless.
  void wake();
  void wake_sleepers() {
    if (sleeping_.load(std::memory_order_seq_cst) != 0) wake();
  }

  // Sleeps until it is raised to the value or sealed, somebody calls wake(), or the time is over. False only
  // if the time is over. May return early: look again.
  bool sleep_while_below(std::uint64_t value, std::chrono::nanoseconds time_limit) const;

 private:
  // Owners seldom move. So all who ask have this line in their caches, and so has the owner.
  void note_core() {
    const int here = ::sched_getcpu();
    if (core_.load(std::memory_order_relaxed) != here) {
      core_.store(here, std::memory_order_relaxed);
    }
  }

  static constexpr std::uint64_t sealed_bit = std::uint64_t{1} << 63;

  std::atomic<std::uint64_t> value_{0};
  // On the second line: going to sleep does not take the value's line from those who read it.
  alignas(64) mutable std::atomic<std::uint32_t> sleeping_{0};
  std::atomic<int> core_{-1};
};

}  // namespace detour
