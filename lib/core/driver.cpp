#include "core/driver.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace detour {
namespace {

// Messages from other nodes ring no bell: MPI has to be asked. At first again and again, letting others
// run in between; then this often.
constexpr std::uint32_t eager_poll_count = 200;
constexpr std::chrono::microseconds poll_interval{200};

}  // namespace

Driver::Driver(const Ways& ways, Counter* bell, Waiter waiter, Activity& activity)
    : ways_(ways), bell_(bell), waiter_(std::move(waiter)), activity_(activity) {}

void Driver::complete(Operation& operation) const {
  std::uint32_t idle_count = 0;
  for (;;) {
    const std::uint64_t value = bell_value();
    activity_.moved();
    const auto progress = operation.step();
    if (progress == Operation::Progress::ended) return;
    idle_count = progress == Operation::Progress::moved ? 0 : idle_count + 1;
    if (idle_count > 0) rest(operation, value, idle_count);
  }
}

void Driver::rest(const Operation& operation, std::uint64_t bell_value,
                  std::uint32_t idle_count) const {
  if (ways_.far != nullptr) {
    rest_between_polls(bell_value, idle_count);
  } else if (const WaitList awaited = operation.waits_for(); !awaited.counters.empty()) {
    waiter_.wait_for_all(awaited.counters, awaited.value);
  } else {
    waiter_.wait_for(*bell_, bell_value + 1);
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
