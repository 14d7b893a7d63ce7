#include "requests/own_requests.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "requests/patience.hpp"

namespace detour {
namespace {

// Asking about a request that has not ended makes MPI work on all that it has to do.
void make_progress(MPI_Request pending) {
  int flag = 0;
  PMPI_Request_get_status(pending, &flag, MPI_STATUS_IGNORE);
}

// To the error handler, which may not return. Once per call: where MPI found an error of its own, that one
// has been there.
int raise(const PendingRequest& failed, int error) {
  failed.operation().tell_others_of_error(failed.comm());
  PMPI_Comm_call_errhandler(failed.comm(), error);
  return error;
}

// Of a request that was taken away, if it is one of ours.
int error_of(const PendingRequest* request) {
  return request == nullptr ? MPI_SUCCESS : request->operation().error();
}

// `taken(position)` is our request whose status is at that position, or null. MPI defines the errors in
// statuses only where the call fails, so that ours may be the first to need all of them.
template <typename Taken>
int report_list(int result, int count, MPI_Status statuses[], const Taken& taken) {
  const bool has_statuses = statuses != MPI_STATUSES_IGNORE;
  const PendingRequest* first_failed = nullptr;
  for (int i = 0; i < count; ++i) {
    const PendingRequest* request = taken(i);
    const int error = error_of(request);
    if (has_statuses && (request != nullptr || result == MPI_SUCCESS)) {
      statuses[i].MPI_ERROR = error;
    }
    if (error != MPI_SUCCESS && first_failed == nullptr) first_failed = request;
  }
  const bool is_new = first_failed != nullptr && result == MPI_SUCCESS;
  return is_new ? raise(*first_failed, MPI_ERR_IN_STATUS) : result;
}

// As long as it lives, this thread looks after operations that have not ended. Those that have it does not advance any
// more, and with them what comes after them: that is for others to do.
class Attendance {
 public:
  explicit Attendance(const std::vector<RequestTable::Listed>& list) {
    for (const auto& listed : list) {
      if (!listed.request->is_complete()) attended_.push_back(listed.request.get());
    }
    for (const PendingRequest* request : attended_) request->operation().attend();
  }
  ~Attendance() {
    for (const PendingRequest* request : attended_) request->operation().leave();
  }
  Attendance(const Attendance&) = delete;
  Attendance& operator=(const Attendance&) = delete;

  void leave_complete() {
    std::erase_if(attended_, [](const PendingRequest* request) {
      if (request->is_complete()) request->operation().leave();
      return request->is_complete();
    });
  }

 private:
  std::vector<const PendingRequest*> attended_;
};

}  // namespace

OwnRequests::OwnRequests(int count, const MPI_Request requests[]) {
  RequestTable& table = request_table();
  if (table.is_empty()) return;
  table.advance_adopted();
  if (requests != nullptr) own_ = table.find_all(count, requests);
}

bool OwnRequests::complete_ended() const {
  bool all = true;
  for (const auto& own : own_) all &= own.request->complete_if_ended();
  return all;
}

const PendingRequest* OwnRequests::first_pending() const {
  const auto found = std::find_if(own_.begin(), own_.end(),
                                  [](const auto& own) { return !own.request->is_complete(); });
  return found == own_.end() ? nullptr : found->request.get();
}

void OwnRequests::wait_for_all() const {
  Attendance attendance(own_);
  std::uint64_t progress_count = 0;
  unsigned look_count = 0;
  for (; !complete_ended(); ++look_count) {
    attendance.leave_complete();
    const PendingRequest* const pending = first_pending();
    const std::uint64_t now = pending != nullptr ? pending->operation().progress_count() : 0;
    // What gets on is about to get on again: that is no time to fall asleep.
    if (std::exchange(progress_count, now) != now) look_count = 0;
    pause(look_count);
  }
}

void OwnRequests::pause(unsigned look_count) const {
  if (const PendingRequest* pending = first_pending()) {
    make_progress(pending->handle());
    rest_between_looks(pending->operation(), look_count);
  }
}

int OwnRequests::release(MPI_Request* request) const {
  PendingRequest& only = *own_.front().request;
  const bool goes_on = !only.complete_if_ended();
  const int error = only.release(request);
  if (error == MPI_SUCCESS && goes_on) request_table().adopt(only.shared_operation());
  return error;
}

const PendingRequest* OwnRequests::at(int index) const {
  const auto found =
      std::lower_bound(own_.begin(), own_.end(), index,
                       [](const auto& own, int wanted) { return own.index < wanted; });
  return found == own_.end() || found->index != index ? nullptr : found->request.get();
}

int OwnRequests::report_at(int result, int index) const {
  const PendingRequest* taken = at(index);
  const int error = error_of(taken);
  return result != MPI_SUCCESS || error == MPI_SUCCESS ? result : raise(*taken, error);
}

int OwnRequests::report_all(int result, int count, const MPI_Request requests[],
                            MPI_Status statuses[]) const {
  return report_list(result, count, statuses, [&](int position) {
    return requests[position] == MPI_REQUEST_NULL ? at(position) : nullptr;
  });
}

int OwnRequests::report_some(int result, int out_count, const int indices[],
                             MPI_Status statuses[]) const {
  return report_list(result, out_count, statuses,
                     [&](int position) { return at(indices[position]); });
}

}  // namespace detour
