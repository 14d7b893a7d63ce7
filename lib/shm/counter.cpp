#include "shm/counter.hpp"

#include <new>
#include <type_traits>

#include "shm/futex.hpp"

namespace detour {

static_assert(std::is_standard_layout_v<Counter> && sizeof(Counter) == 128);
static_assert(std::is_trivially_destructible_v<Counter>);
// A lock would be in the memory of one process only.
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

Counter& Counter::create_at(std::byte* place) {
  return *new (place) Counter;
}

void Counter::wake() {
  sleeping_.store(0, std::memory_order_seq_cst);
  futex_wake_all(sleeping_);
}

std::uint64_t Counter::seal() {
  const std::uint64_t before = value_.fetch_or(sealed_bit, std::memory_order_seq_cst);
  // As after a raise: whoever sleeps has left a mark before, or sees the seal.
  if (sleeping_.load(std::memory_order_seq_cst) != 0) wake();
  return before & ~sealed_bit;
}

bool Counter::sleep_while_below(std::uint64_t value, std::chrono::nanoseconds time_limit) const {
  sleeping_.store(1, std::memory_order_seq_cst);
  // A sealed word is larger than any value.
  if (value_.load(std::memory_order_seq_cst) >= value) return true;
  return futex_wait(sleeping_, 1, time_limit);
}

}  // namespace detour
