// Drives operations to their end from a thread of the program.
#pragma once

#include <cstdint>

#include "core/ways.hpp"
#include "failure/activity.hpp"
#include "operations/operation.hpp"
#include "shm/waiter.hpp"

namespace detour {

class Driver {
 public:
  // Operations on these ways; they, the bell and the activity have to live longer.
  Driver(const Ways& ways, Counter* bell, Waiter waiter, Activity& activity);

  void complete(Operation& operation) const;

  // Waits for something new after a step that changed nothing: `bell_value` was read before it, and
  // it was the so many-th in a row.
  void rest(const Operation& operation, std::uint64_t bell_value, std::uint32_t idle_count) const;
  std::uint64_t bell_value() const { return bell_ != nullptr ? bell_->load() : 0; }

 private:
  void rest_between_polls(std::uint64_t bell_value, std::uint32_t idle_count) const;

  const Ways& ways_;
  Counter* bell_;
  Waiter waiter_;
  Activity& activity_;
};

}  // namespace detour
