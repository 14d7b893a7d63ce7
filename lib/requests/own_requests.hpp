// Our requests in the list of a Wait or Test call.
#pragma once

#include <mpi.h>

#include <vector>

#include "requests/request_table.hpp"

namespace detour {

class OwnRequests {
 public:
  // A list with nothing of ours, or with arguments that MPI will refuse, gives an empty object: the call
  // is for MPI alone.
  OwnRequests(int count, const MPI_Request requests[]);

  bool is_empty() const { return own_.empty(); }
  const PendingOperation& first_operation() const { return own_.front().request->operation(); }

  // Tells MPI of those that have ended. True if all have.
  bool complete_ended() const;

  // Waits for them all to end.
  void wait_for_all() const;

  // One step of waiting for any of them, or for other requests in the list, whose turn comes at least every
  // millisecond: the caller tests them in between. `look_count` is how often it has done so.
  void pause(unsigned look_count) const;

  // For a single request: the program lets go of it, and its operation goes on.
  int release(MPI_Request* request) const;

  // After MPI has dealt with the list: the result of the call with the errors of our operations in it. Each
  // form knows in its own way which requests have been taken away.
  int report_at(int result, int index) const;
  int report_all(int result, int count, const MPI_Request requests[], MPI_Status statuses[]) const;
  int report_some(int result, int out_count, const int indices[], MPI_Status statuses[]) const;

 private:
  const PendingRequest* at(int index) const;
  const PendingRequest* first_pending() const;

  std::vector<RequestTable::Listed> own_;
};

}  // namespace detour
