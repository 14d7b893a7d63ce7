#include "shim/p2p/ending.hpp"

#include <new>

#include "next_calls.hpp"
#include "shim/fallible/doom.hpp"

namespace detour::shim {
namespace {

// Open MPI gives one and the same request for all sends that have ended at once, those to PROC_NULL among them. It has
// ended for ever, so nothing has to be known of it.
MPI_Request find_ended_request() {
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  for (MPI_Request& request : requests) {
    PMPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
  }
  const bool is_one = requests[0] == requests[1];
  const MPI_Request found = is_one ? requests[0] : MPI_REQUEST_NULL;
  PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return found;
}

bool is_ended_request(MPI_Request request) {
  static const MPI_Request ended = find_ended_request();
  return request == ended;
}

}  // namespace

std::optional<int> failure_of(MPI_Request request, const FallibleRequest& what) {
  if (is_ended_request(request)) return std::nullopt;
  RequestBook::Listed listed{0, request, what};
  while (!has_ended(listed)) {
    if (!is_doomed(listed)) continue;
    const int code = failure_code(listed);
    if (give_up(listed)) return code;
  }
  return std::nullopt;
}

int finish(MPI_Request request, const FallibleRequest& what, MPI_Status* status) {
  const auto failure = failure_of(request, what);
  if (!failure) return next_calls().wait(&request, status);
  set_failed(status, *failure);
  return report_process_failed(what.comm, *failure);
}

int remember(int result, const MPI_Request* request, const FallibleRequest& what) noexcept {
  if (result != MPI_SUCCESS || is_ended_request(*request)) return result;
  try {
    request_book().add(*request, what);
  } catch (const std::bad_alloc&) {
    // It is MPI's alone.
  }
  return result;
}

}  // namespace detour::shim
