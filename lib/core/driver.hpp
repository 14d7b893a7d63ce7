// Drives operations to their end from a thread of the program.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/ways.hpp"
#include "failure/activity.hpp"
#include "operations/operation.hpp"
#include "shm/waiter.hpp"

namespace detour {

class Driver {
 public:
  // Operations on these ways. All has to live longer. `loss_count` counts the members that are known to have died: a
  // wait ends when it changes, whatever is waited for.
  Driver(const Ways& ways, Counter* bell, std::size_t node_rank_count, Activity& activity,
         const std::atomic<std::uint64_t>& loss_count);
  Driver(const Driver&) = delete;  // what it waits with refers to it
  Driver& operator=(const Driver&) = delete;

  [[gnu::hot]] void complete(Operation& operation) const;

  // Looks whether it has come, for a moment only, and with nothing else getting on meanwhile.
  template <class Predicate>
  bool look_for_a_moment(const Predicate& has_come, const WaitList::Comers& comers) const {
    return waiter_.look_for_a_moment(has_come, comers);
  }

  // What a step may have seen, if it is looked at before.
  struct Seen {
    std::uint64_t bell_value = 0;
    std::uint64_t loss_count = 0;
  };
  Seen look() const;
  // Waits for something new after a step that changed nothing, the so many-th in a row.
  [[gnu::hot]] void rest(const Operation& operation, const Seen& seen,
                         std::uint32_t idle_count) const;

 private:
  void rest_between_polls(std::uint64_t bell_value, std::uint32_t idle_count) const;

  const Ways& ways_;
  Counter* bell_;
  Activity& activity_;
  const std::atomic<std::uint64_t>& loss_count_;
  // Of whoever waits: one thread at a time, that which carries out the communicator's operations.
  mutable std::uint64_t seen_loss_count_ = 0;
  Waiter waiter_;
};

}  // namespace detour
