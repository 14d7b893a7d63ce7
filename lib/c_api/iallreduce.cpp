#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "c_api/collective.hpp"
#include "c_api/plain_allreduce.hpp"
#include "core/helper_thread.hpp"
#include "detour/detour.h"
#include "mpi/reduce_ops.hpp"
#include "next_calls.hpp"
#include "pending_operation.hpp"
#include "requests/pending_request.hpp"

namespace {

using namespace detour;

// In the communicator's queue, and behind a request of the program's. Whoever carries it out writes
// error_ and result_ and then is_done_; the program's threads read these after is_done_.
class QueuedAllreduce final : public QueuedCall, public PendingOperation {
 public:
  QueuedAllreduce(std::shared_ptr<Communicator> communicator, const AllreduceArguments& arguments)
      : communicator_(std::move(communicator)), result_(communicator_->last_result()) {
    call_.header.kind = CallKind::nonblocking_allreduce;
    call_.header.error = guarded([&] { return plain_.prepare(arguments, call_); });
  }

  const Call& call() const override { return call_; }
  // Before it is in the queue: there is no request, so the buffers are the program's again.
  void spoil(int error) { call_.header.error = error; }
  void end(int error, const OperationResult& result) override {
    if (error == MPI_SUCCESS) {
      plain_.finish();
      result_ = result;  // of the same size as what is there: takes no memory, and so can't fail
    }
    error_ = error;
    is_done_.store(true, std::memory_order_release);
    if (Counter* bell = communicator_->bell()) bell->add_one();  // for who sleeps in rest()
  }

  bool advance() override {
    if (!is_done()) communicator_->advance_queue();
    return is_done();
  }
  void rest(std::chrono::microseconds at_most) override {
    Counter* const bell = communicator_->bell();
    if (bell == nullptr) {
      std::this_thread::sleep_for(at_most);
      return;
    }
    // Neither messages from other nodes nor memory that becomes free ring it.
    constexpr std::chrono::microseconds look_interval{1000};
    const bool has_to_look = communicator_->reaches_far() || communicator_->awaits_room();
    const std::uint64_t value = bell->load();
    if (!advance()) {
      bell->sleep_while_below(value + 1, has_to_look ? std::min(at_most, look_interval) : at_most);
    }
  }
  void attend() override { communicator_->attend(); }
  void leave() override {
    const int error = guarded([this] {
      if (communicator_->leave() && communicator_->advance_queue()) {
        HelperThread::instance().look_after(communicator_);
      }
      return MPI_SUCCESS;
    });
    if (error != MPI_SUCCESS) communicator_->withdraw();  // nobody goes on here
  }
  std::uint64_t progress_count() const override { return communicator_->progress_count(); }
  int error() const override { return error_; }
  MPI_Comm comm() const override { return communicator_->comm(); }
  const OperationResult* result() const override { return &result_; }

 private:
  bool is_done() const { return is_done_.load(std::memory_order_acquire); }

  const std::shared_ptr<Communicator> communicator_;
  PlainAllreduce plain_;
  Call call_;
  int error_ = MPI_SUCCESS;
  OperationResult result_;
  std::atomic<bool> is_done_{false};
};

// The class of the error. Wrong or not, the call is made: the other ranks wait for it.
int enqueue_allreduce(const std::shared_ptr<Communicator>& communicator,
                      const AllreduceArguments& arguments, MPI_Request* request) {
  const auto queued = std::make_shared<QueuedAllreduce>(communicator, arguments);
  int error = queued->call().header.error;
  if (error == MPI_SUCCESS) {
    // While this rank does not call the library nobody else could do its part.
    error = guarded([&] {
      HelperThread::instance().start();
      return make_request(queued, request);
    });
    queued->spoil(error);
  }
  communicator->enqueue(queued);
  HelperThread::instance().look_after(communicator);
  return error;
}

// A user's operation runs in the program's threads only, and MPI has ways to see to that. So it has where
// the helper thread can't do the work: the program may be in any call of MPI's while others wait for it.
int begin_allreduce(const AllreduceArguments& arguments, MPI_Comm comm, MPI_Request* request) {
  const auto& [sendbuf, recvbuf, count, datatype, op] = arguments;
  if (const int error = check_communicator(comm); error != MPI_SUCCESS) {
    return report(MPI_COMM_WORLD, error);
  }
  const auto communicator = share_communicator(comm);
  if (!communicator || !communicator->advances_by_itself() || is_user_defined(op)) {
    return next_calls().iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request);
  }
  try {
    const int error = enqueue_allreduce(communicator, arguments, request);
    return error == MPI_SUCCESS ? MPI_SUCCESS : report(comm, error);
  } catch (...) {
    communicator->withdraw();
    communicator->drain();  // the program is about to have its buffers back
    throw;
  }
}

}  // namespace

int Detour_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return reporting(comm, [&] {
    return begin_allreduce({sendbuf, recvbuf, count, datatype, op}, comm, request);
  });
}
