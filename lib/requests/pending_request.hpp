// Requests of the program's that stand for operations of the library.
//
// MPI knows each as a generalized request, so that it has a handle like any other and may stand in lists.
// MPI does not drive it: the functions of the Detour_Wait and Detour_Test family do, in the program's
// thread, which is the only one that may call MPI whatever the thread level.
#pragma once

#include <mpi.h>

#include <atomic>
#include <memory>

#include "detour/routing/api.hpp"
#include "pending_operation.hpp"

namespace detour {

class PendingRequest {
 public:
  explicit PendingRequest(std::shared_ptr<PendingOperation> operation)
      : operation_(std::move(operation)), comm_(operation_->comm()) {}

  // Starts the generalized request. MPI_SUCCESS or a class of error.
  int start();
  // Takes the request back that nobody has seen.
  void take_back();

  // True once the operation has ended. The first call that finds it so tells MPI, after which MPI's own
  // Wait and Test take the request away at once.
  bool complete_if_ended();

  // Whether MPI has been told.
  bool is_complete() const { return is_complete_.load(std::memory_order_acquire); }

  // Lets go of the handle while the operation is still under way.
  int release(MPI_Request* request);

  // Whose error handler hears of the operation's error. MPI lets the program free a communicator with operations under
  // way: then it is the world's.
  MPI_Comm comm() const { return comm_.load(std::memory_order_relaxed); }
  // Before its communicator is freed: the handle of that may come back for another one.
  void outlive_communicator() { comm_.store(MPI_COMM_WORLD, std::memory_order_relaxed); }

  MPI_Request handle() const { return handle_; }
  PendingOperation& operation() const { return *operation_; }
  const std::shared_ptr<PendingOperation>& shared_operation() const { return operation_; }

 private:
  MPI_Request handle_ = MPI_REQUEST_NULL;
  std::shared_ptr<PendingOperation> operation_;
  // Set by whoever tells MPI. Two threads may get there together, one in a list, one asking for the
  // status.
  std::atomic<bool> is_complete_{false};
  std::atomic<MPI_Comm> comm_;
};

// Makes *request a handle of the operation. MPI_SUCCESS or a class of error.
DETOUR_API int make_request(std::shared_ptr<PendingOperation> operation, MPI_Request* request);

}  // namespace detour
