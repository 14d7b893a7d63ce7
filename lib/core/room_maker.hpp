// Finds room in this process's shared memory for the operations of one communicator, if need be from others that hold it
// between their calls.
//
// What others hold may still be read by a rank that is slow to end a call which has ended here. Then there is room later.
// Whoever wants it asks again: a thread of the program's after a pause, the helper thread when it comes by the next time. The
// operation is not entered before that, so that for the other ranks this one is only late.
//
// Why that ends. All members of a communicator have entered a call before any of them has ended it. So the readers are in
// their calls, and need nothing of this rank any more but what lies in its memory; the threads that carry out those calls
// run, be it the program's or helpers, which wait for nobody. They might themselves wait for room in the middle of a call,
// when they begin it anew after a death. But then that call has ended nowhere, and what they wait for is again that some
// call be ended which had ended elsewhere: one that all its members had entered earlier than the waiting one. Such a chain
// leads back in time, and so not in a circle. To a correct program it looks as if a collective call had been
// synchronizing, which it always may be.
//
// Readers that die are sealed, and count as having read. One that is stopped is found to hang: it is waited for (Activity).
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "core/idle_memory.hpp"
#include "failure/activity.hpp"

namespace detour {

// For whoever carries out the communicator's operations: one thread at a time.
class RoomMaker {
 public:
  // The holder, which has to live longer, is the one that room is made for. Not asked like the others, because it is busy,
  // it gives back what its current operation has no use for.
  RoomMaker(const MemoryHolder& holder, std::function<Reclaimed()> give_back_own);

  // Whether the attempt has succeeded, which is made as often as somebody has given memory back.
  bool get(const std::function<bool()>& attempt);

  // After one that has not succeeded: whether to try again. Any thread.
  bool comes_later() const { return is_waiting_.load(std::memory_order_relaxed); }
  // For who waits for readers otherwise, each time before it does: the detector has to know.
  void wait_for(std::vector<PeerId> readers);
  // The operation has ended, or has no use for room any more.
  [[gnu::hot]] void stop_waiting();

 private:
  struct Wait {
    explicit Wait(std::vector<PeerId> of) : readers(std::move(of)), activity(readers) {}
    std::vector<PeerId> readers;  // ascending
    Activity activity;
    Inside inside{activity};
  };

  const MemoryHolder& holder_;
  const std::function<Reclaimed()> give_back_own_;
  std::optional<Wait> wait_;
  std::atomic<bool> is_waiting_{false};
};

}  // namespace detour
