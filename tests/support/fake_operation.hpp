// A pending operation that ends when a test says so.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "pending_operation.hpp"
#include "requests/pending_request.hpp"

namespace detour::test {

class FakeOperation : public PendingOperation {
 public:
  explicit FakeOperation(int error = MPI_SUCCESS, MPI_Comm comm = MPI_COMM_SELF)
      : error_(error), comm_(comm) {}

  bool advance() override {
    const std::lock_guard lock(mutex_);
    ++advance_count_;
    if (advances_left_ > 0 && --advances_left_ == 0) ended_ = true;
    return ended_;
  }

  void rest(std::chrono::microseconds at_most) override {
    std::unique_lock lock(mutex_);
    ++rest_count_;
    longest_rest_ = std::max(longest_rest_, at_most);
    rested_.notify_all();
    ended_soon_.wait_for(lock, at_most, [this] { return ended_; });
  }

  int error() const override { return error_; }
  MPI_Comm comm() const override { return comm_; }

  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    ended_soon_.notify_all();
  }

  // As one does that needs the caller's thread.
  void end_after(int advance_count) {
    const std::lock_guard lock(mutex_);
    advances_left_ = advance_count;
  }

  // From another thread: until the one that waits for it has gone to sleep so often.
  void wait_for_rests(int count) {
    std::unique_lock lock(mutex_);
    rested_.wait(lock, [&] { return rest_count_ >= count; });
  }

  std::chrono::microseconds longest_rest() const {
    const std::lock_guard lock(mutex_);
    return longest_rest_;
  }

  int advance_count() const {
    const std::lock_guard lock(mutex_);
    return advance_count_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable ended_soon_;
  std::condition_variable rested_;
  bool ended_ = false;
  int advances_left_ = 0;
  int advance_count_ = 0;
  int rest_count_ = 0;
  std::chrono::microseconds longest_rest_{0};
  int error_;
  MPI_Comm comm_;
};

inline MPI_Request request_of(const std::shared_ptr<FakeOperation>& operation) {
  MPI_Request request = MPI_REQUEST_NULL;
  make_request(operation, &request);
  return request;
}

}  // namespace detour::test
