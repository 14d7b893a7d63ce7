// What has become of a communicator's calls.
//
// Whoever carries calls out adds each when it has ended, one at a time; any thread may ask, also while a call is under
// way.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "operation_result.hpp"

namespace detour {

struct CommunicatorStatistics {
  std::uint64_t operation_count = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t error_count = 0;
};

class CallAccount {
 public:
  explicit CallAccount(OperationResult first_result) : last_result_(std::move(first_result)) {}

  void add_error() {
    add(operation_count_, 1);
    add(error_count_, 1);
  }
  void add_success(std::uint64_t payload_bytes, const OperationResult& result) {
    add(operation_count_, 1);
    add(payload_bytes_, payload_bytes);
    // Only whoever adds changes it, and may look at it without the lock. Contributors are another set only in
    // another epoch.
    if (result.epoch == last_result_.epoch && result.attempt_count == last_result_.attempt_count) {
      return;
    }
    const std::lock_guard lock(result_mutex_);
    last_result_ = result;
  }

  CommunicatorStatistics statistics() const {
    return {operation_count_.load(std::memory_order_relaxed),
            payload_bytes_.load(std::memory_order_relaxed),
            error_count_.load(std::memory_order_relaxed)};
  }
  // Of the last call that has ended well.
  OperationResult last_result() const {
    const std::lock_guard lock(result_mutex_);
    return last_result_;
  }

 private:
  // There is one writer at a time: an atomic addition would cost more than the rest of it all.
  static void add(std::atomic<std::uint64_t>& sum, std::uint64_t number) {
    sum.store(sum.load(std::memory_order_relaxed) + number, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> operation_count_{0};
  std::atomic<std::uint64_t> payload_bytes_{0};
  std::atomic<std::uint64_t> error_count_{0};
  mutable std::mutex result_mutex_;
  OperationResult last_result_;
};

}  // namespace detour
