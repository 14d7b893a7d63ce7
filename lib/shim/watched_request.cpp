#include "shim/watched_request.hpp"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/dead_ranks.hpp"
#include "core/own_comm.hpp"
#include "next_calls.hpp"
#include "pending_operation.hpp"
#include "requests/pending_request.hpp"

namespace detour::shim {
namespace {

MPI_Comm make_quiet_comm() {
  const MPI_Comm comm = make_own_comm(MPI_COMM_SELF);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

class WatchedRequest final : public PendingOperation {
 public:
  WatchedRequest(const char* name, WorldRanks members, MPI_Request request)
      : name_(name), members_(std::move(members)), request_(request) {}

  bool advance() override {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && !is_done_.load(std::memory_order_relaxed)) look();
    return is_done_.load(std::memory_order_acquire);
  }

  // MPI's own waits don't sleep either.
  void rest(std::chrono::microseconds) override { ::sched_yield(); }
  int error() const override { return error_; }
  const MPI_Status* status() const override { return &status_; }

  // MPI has told the error handler of the window or the file. This one does nothing.
  MPI_Comm comm() const override {
    static const MPI_Comm quiet = make_quiet_comm();
    return quiet;
  }

 private:
  void look() {
    int is_complete = 0;
    const int error = next_calls().test(&request_, &is_complete, &status_);
    if (error == MPI_SUCCESS && is_complete == 0) {
      if (any_rank_is_dead()) look_for_deaths();
      return;
    }
    error_ = error;
    is_done_.store(true, std::memory_order_release);
  }

  void look_for_deaths() {
    const auto now = std::chrono::steady_clock::now();
    const std::vector<int> dead = dead_among(*members_);
    if (dead.empty()) return;
    if (!hopeless_since_) hopeless_since_ = now;
    if (now - *hopeless_since_ < hopeless_call_patience) return;
    end_job_in_call(name_, dead);
    hopeless_since_ = now;  // the launcher needs a moment
  }

  const char* const name_;
  const WorldRanks members_;
  std::mutex mutex_;  // guards what follows; who is second leaves it to the first
  MPI_Request request_;
  MPI_Status status_{};
  std::optional<std::chrono::steady_clock::time_point> hopeless_since_;
  int error_ = MPI_SUCCESS;  // written before is_done_, as the status is
  std::atomic<bool> is_done_{false};
};

}  // namespace

int watch_request(const char* name, WorldRanks members, MPI_Request* request) {
  return make_request(std::make_shared<WatchedRequest>(name, std::move(members), *request),
                      request);
}

}  // namespace detour::shim
