#include "compare/bare_meeting.hpp"

#include <sched.h>

#include <atomic>

#include "placement/hardware_place.hpp"
#include "shm/pause_core.hpp"

namespace detour::tool {

// Where ranks share cores whoever is waited for may need this one.
BareMeeting::BareMeeting(const NodeWindow& window) : window_(window) {
  const auto core_count = static_cast<std::size_t>(hardware_place().machine_core_count);
  if (window_.rank_count() <= core_count) spin_count_ = 1000;
}

// Release and acquire: who has seen a count sees what was written before it was raised.
void BareMeeting::come() {
  ++own_count_;
  std::atomic_ref(count_of(window_.rank())).store(own_count_, std::memory_order_release);
}

void BareMeeting::await(std::size_t rank) const {
  const std::atomic_ref count(count_of(rank));
  const auto is_there = [&] { return count.load(std::memory_order_acquire) >= own_count_; };
  for (unsigned spins = 0; spins < spin_count_ && !is_there(); ++spins) pause_core();
  while (!is_there()) ::sched_yield();
}

void BareMeeting::come_and_await_all() {
  come();
  for (std::size_t rank = 0; rank < window_.rank_count(); ++rank) await(rank);
}

std::uint64_t& BareMeeting::count_of(std::size_t rank) const {
  return *reinterpret_cast<std::uint64_t*>(window_.part(rank));
}

}  // namespace detour::tool
