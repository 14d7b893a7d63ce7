#include "operations/recovery_record.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace detour {
namespace {

std::uint64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

// Others may have told this rank what it then hears from its own detector: if the operation that got over it
// has ended by now, that is no new loss.
void RecoveryRecord::notice(std::uint64_t process) {
  const std::uint64_t now = now_ns();
  const std::lock_guard lock(mutex_);
  if (std::find(noticed_.begin(), noticed_.end(), process) != noticed_.end()) return;
  noticed_.push_back(process);
  if (noticed_.size() > settled_count_ && current_.noticed_ns == 0) {
    current_.noticed_ns = now;
  }
}

void RecoveryRecord::see_broken() {
  const std::uint64_t now = now_ns();
  const std::lock_guard lock(mutex_);
  if (current_.broken_ns == 0) current_.broken_ns = now;
  if (current_.noticed_ns == 0) current_.noticed_ns = now;
}

void RecoveryRecord::agree() {
  const std::uint64_t now = now_ns();
  const std::lock_guard lock(mutex_);
  current_.agreed_ns = now;
  if (current_.noticed_ns == 0) current_.noticed_ns = now;
}

// If nobody was agreed on, those were lost in an operation that has ended.
void RecoveryRecord::begin_again() {
  const std::uint64_t now = now_ns();
  const std::lock_guard lock(mutex_);
  if (current_.agreed_ns != 0) current_.begun_ns = now;
}

RecoveryTimes RecoveryRecord::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

void RecoveryRecord::settle(std::size_t lost_count) {
  const std::uint64_t now = now_ns();
  const std::lock_guard lock(mutex_);
  settled_count_ = lost_count;
  current_.count = last_.count + 1;
  current_.completed_ns = now;
  // Nothing was planned anew where the loss was known at the start.
  if (current_.begun_ns == 0) current_.begun_ns = current_.agreed_ns;
  last_ = std::exchange(current_, {});
}

}  // namespace detour
