// Starting persistent requests.
//
// A send to the dead is not started in MPI: it would be under way for ever there, and the request could never be
// started again or freed for good. It is marked, and fails when it is waited for.
#include "core/dead_ranks.hpp"
#include "shim/export.hpp"
#include "shim/fallible/request_book.hpp"
#include "shim/p2p/buffered_sends.hpp"
#include "shim/p2p/point_to_point.hpp"
#include "shim/reporting_exceptions.hpp"

namespace detour::shim {
namespace {

// True if it is left out of what MPI is to start.
bool refuse(MPI_Request handle) {
  auto known = any_rank_is_dead() ? request_book().find(handle) : std::nullopt;
  if (!known || !known->is_persistent) return false;
  const bool is_useless = known->is_stuck || (known->kind == FallibleRequest::Kind::send &&
                                              is_dead(known->comm, known->peer));
  if (!is_useless) return false;
  known->is_refused = true;
  request_book().change(handle, *known);
  return true;
}

}  // namespace

int start(MPI_Request* request) {
  return reporting_exceptions([&] {
    if (request == nullptr || !deaths_are_noticed()) return below().start(request);
    if (refuse(*request)) return MPI_SUCCESS;
    if (const int error = send_if_buffered(*request); error != MPI_SUCCESS) return error;
    return below().start(request);
  });
}

// Each right after its message: where there is no room for one, those before it have been started and can be waited for.
int startall(int count, MPI_Request requests[]) {
  return reporting_exceptions([&] {
    if (requests == nullptr || count < 0 || !deaths_are_noticed()) {
      return below().startall(count, requests);
    }
    for (int index = 0; index < count; ++index) {
      if (const int error = start(&requests[index]); error != MPI_SUCCESS) return error;
    }
    return MPI_SUCCESS;
  });
}

}  // namespace detour::shim

namespace shim = detour::shim;

DETOUR_REPLACES_MPI int MPI_Start(MPI_Request* request) {
  return shim::start(request);
}

DETOUR_REPLACES_MPI int MPI_Startall(int count, MPI_Request requests[]) {
  return shim::startall(count, requests);
}
