#include "core/driver.hpp"

#include <chrono>
#include <thread>

#include "core/waiting.hpp"

namespace detour {
namespace {

// Messages from other nodes ring no bell, nor does whoever has done with reading what lies here: one has to ask. At first
// again and again, letting others run in between; then this often.
constexpr std::uint32_t eager_poll_count = 200;
// A shortcut that is there, and leaves the operation stuck as often as that, tells nothing. Whoever believed it would wait
// without a turn of MPI's.
constexpr std::uint32_t shortcut_count_max = 8;
constexpr std::chrono::microseconds poll_interval{200};

}  // namespace

Driver::Driver(const Ways& ways, Counter* bell, std::size_t node_rank_count, Activity& activity,
               const std::atomic<std::uint64_t>& loss_count)
    : ways_(ways),
      bell_(bell),
      activity_(activity),
      loss_count_(loss_count),
      waiter_(waiter_for(node_rank_count, activity, [this] {
        return loss_count_.load(std::memory_order_acquire) != seen_loss_count_;
      })) {}

Driver::Seen Driver::look() const {
  return {bell_ != nullptr ? bell_->load() : 0, loss_count_.load(std::memory_order_acquire)};
}

void Driver::complete(Operation& operation) const {
  std::uint32_t idle_count = 0;
  for (;;) {
    const Seen seen = look();
    const auto progress = operation.step();
    if (progress == Operation::Progress::ended) return;
    activity_.moved();
    idle_count = progress == Operation::Progress::moved ? 0 : idle_count + 1;
    if (idle_count > 0) rest(operation, seen, idle_count);
  }
}

void Driver::rest(const Operation& operation, const Seen& seen, std::uint32_t idle_count) const {
  seen_loss_count_ = seen.loss_count;
  if (ways_.far != nullptr) {
    rest_between_polls(seen.bell_value, idle_count);
  } else if (operation.awaits_room()) {
    waiter_.wait_for(*bell_, seen.bell_value + 1, WaitClock::now() + poll_interval);
  } else if (WaitList awaited = operation.waits_for(); !awaited.counters.empty()) {
    if (idle_count > shortcut_count_max) awaited.shortcut = {};
    waiter_.wait_for_all(awaited);
  } else {
    waiter_.wait_for(*bell_, seen.bell_value + 1);
  }
}

// A step that found nothing to do has let MPI get on with its work.
void Driver::rest_between_polls(std::uint64_t bell_value, std::uint32_t idle_count) const {
  if (idle_count < eager_poll_count) {
    std::this_thread::yield();
  } else if (bell_ != nullptr) {
    bell_->sleep_while_below(bell_value + 1, poll_interval);
  } else {
    std::this_thread::sleep_for(poll_interval);
  }
}

}  // namespace detour
