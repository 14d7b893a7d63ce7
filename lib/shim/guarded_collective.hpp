// A collective operation of MPI's that ends when a member dies: with an error, and without MPI's consent.
//
// Runs in MPI's nonblocking form, over staged buffers, and is looked at until it has ended or a death of a member is
// known. Ranks may differ in whether they got it done; none waits for the dead.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "pending_operation.hpp"
#include "shim/call_subject.hpp"
#include "shim/member_groups.hpp"
#include "shim/staging.hpp"

namespace detour::shim {

// Keeps MPI from destroying a communicator while an operation is under way on it, which may be for ever: a receive that is
// never begun refers to it.
class CommunicatorHold {
 public:
  explicit CommunicatorHold(MPI_Comm comm);
  ~CommunicatorHold();
  CommunicatorHold(const CommunicatorHold&) = delete;
  CommunicatorHold& operator=(const CommunicatorHold&) = delete;
  void keep_for_ever() { request_ = MPI_REQUEST_NULL; }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

class GuardedCollective final : public PendingOperation {
 public:
  GuardedCollective(MPI_Comm comm, Staging staging);
  // Of one that MPI still works on, for lack of memory say: it is given up.
  ~GuardedCollective() override;

  // Where MPI puts the request when it begins the operation.
  MPI_Request* request() { return &request_; }

  bool advance() override;
  // MPI's own waits don't sleep either.
  void rest(std::chrono::microseconds at_most) override;
  int error() const override { return error_; }
  MPI_Comm comm() const override { return comm_; }
  void tell_others_of_error(MPI_Comm comm) const override;

 private:
  void look();
  void give_up(int error);
  void keep_for_ever();
  void end(int error);

  const MPI_Comm comm_;
  const MemberGroups members_;  // the program may free the communicator
  std::mutex mutex_;            // guards what follows; who is second leaves it to the first
  CommunicatorHold hold_;
  Staging staging_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::uint64_t seen_death_count_ = 0;
  int error_ = MPI_SUCCESS;  // written before is_done_
  std::atomic<bool> is_done_{false};
};

// Whether an operation on it needs to be looked after. Not if it is none, or has no other members.
bool needs_guard(MPI_Comm comm);

// The error of a call on a communicator with dead members, which its error handler has been told of.
int error_at_entry(MPI_Comm comm);

// To the end of the operation; its error has been reported.
int wait_for(GuardedCollective& operation);
// Gives the program a request for it.
int hand_over(std::shared_ptr<GuardedCollective> operation, MPI_Request* request);

}  // namespace detour::shim
