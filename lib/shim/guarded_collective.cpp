#include "shim/guarded_collective.hpp"

#include <sched.h>

#include <utility>

#include "core/dead_ranks.hpp"
#include "mpi/arguments.hpp"
#include "next_calls.hpp"
#include "requests/pending_request.hpp"
#include "shim/survival.hpp"

namespace detour::shim {

CommunicatorHold::CommunicatorHold(MPI_Comm comm) {
  constexpr int any_rank = 0;
  constexpr int any_tag = 0;
  PMPI_Recv_init(nullptr, 0, MPI_BYTE, any_rank, any_tag, comm, &request_);
}

CommunicatorHold::~CommunicatorHold() {
  if (request_ != MPI_REQUEST_NULL) PMPI_Request_free(&request_);
}

GuardedCollective::GuardedCollective(MPI_Comm comm, Staging staging)
    : comm_(comm), members_(comm), hold_(comm), staging_(std::move(staging)) {}

GuardedCollective::~GuardedCollective() {
  const bool is_under_way = request_ != MPI_REQUEST_NULL;
  if (is_under_way && !is_done_.load(std::memory_order_acquire)) keep_for_ever();
}

bool GuardedCollective::advance() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock && !is_done_.load(std::memory_order_relaxed)) look();
  return is_done_.load(std::memory_order_acquire);
}

// The count is read before MPI is asked: if the operation has not ended then, a death that is known by now
// may be the reason, and one that becomes known later is seen at the next look.
void GuardedCollective::look() {
  const std::uint64_t count = death_count();
  int is_complete = 0;
  const int error = next_calls().test(&request_, &is_complete, MPI_STATUS_IGNORE);
  if (error != MPI_SUCCESS) {
    end(error);
  } else if (is_complete != 0) {
    staging_.store();
    end(MPI_SUCCESS);
  } else if (count != seen_death_count_) {
    seen_death_count_ = count;
    const std::vector<int> dead = members_.dead();
    if (!dead.empty()) give_up(process_failed_code(dead));
  }
}

void GuardedCollective::give_up(int error) {
  keep_for_ever();
  end(error);
}

// MPI goes on with it for as long as the process lives.
void GuardedCollective::keep_for_ever() {
  staging_.keep_for_ever();
  hold_.keep_for_ever();
}

void GuardedCollective::end(int error) {
  error_ = error;
  is_done_.store(true, std::memory_order_release);
}

void GuardedCollective::rest(std::chrono::microseconds) {
  ::sched_yield();
}

void GuardedCollective::tell_others_of_error(MPI_Comm comm) const {
  end_job_if_fatal(comm, error_);
}

bool needs_guard(MPI_Comm comm) {
  if (!survives_deaths() || check_communicator(comm) != MPI_SUCCESS) return false;
  int is_between_groups = 0;
  int member_count = 0;
  PMPI_Comm_test_inter(comm, &is_between_groups);
  PMPI_Comm_size(comm, &member_count);
  return is_between_groups != 0 || member_count > 1;
}

int error_at_entry(MPI_Comm comm) {
  const std::vector<int> dead = dead_members(comm);
  return dead.empty() ? MPI_SUCCESS : report(comm, process_failed_code(dead));
}

int wait_for(GuardedCollective& operation) {
  while (!operation.advance()) {
  }
  const int error = operation.error();
  return error == MPI_SUCCESS ? error : report(operation.comm(), error);
}

int hand_over(std::shared_ptr<GuardedCollective> operation, MPI_Request* request) {
  const MPI_Comm comm = operation->comm();
  const int error = make_request(std::move(operation), request);
  return error == MPI_SUCCESS ? error : report(comm, error);
}

}  // namespace detour::shim
