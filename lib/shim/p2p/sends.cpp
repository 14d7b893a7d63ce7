// MPI_Send and its like, but for those from the program's buffer: buffered_sends.cpp.
#include "core/dead_ranks.hpp"
#include "shim/export.hpp"
#include "shim/fallible/failed_request.hpp"
#include "shim/p2p/ending.hpp"
#include "shim/p2p/point_to_point.hpp"
#include "shim/reporting_exceptions.hpp"

namespace detour::shim {

int send(const SendCalls& calls, const void* buffer, int count, MPI_Datatype type, int dest,
         int tag, MPI_Comm comm) {
  return reporting_exceptions(comm, [&] {
    if (!is_watched(dest)) return calls.send(buffer, count, type, dest, tag, comm);
    if (is_dead(comm, dest)) return report_process_failed(comm, process_failed_code(dest));
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = calls.isend(buffer, count, type, dest, tag, comm, &request);
    if (error != MPI_SUCCESS) return error;
    return finish(request, FallibleRequest::send_to(comm, dest), MPI_STATUS_IGNORE);
  });
}

int isend(const SendCalls& calls, const void* buffer, int count, MPI_Datatype type, int dest,
          int tag, MPI_Comm comm, MPI_Request* request) {
  return reporting_exceptions(comm, [&] {
    if (!is_watched(dest)) return calls.isend(buffer, count, type, dest, tag, comm, request);
    if (is_dead(comm, dest)) return make_failed_request(comm, process_failed_code(dest), request);
    return remember(calls.isend(buffer, count, type, dest, tag, comm, request), request,
                    FallibleRequest::send_to(comm, dest));
  });
}

int send_init(const SendCalls& calls, const void* buffer, int count, MPI_Datatype type, int dest,
              int tag, MPI_Comm comm, MPI_Request* request) {
  return reporting_exceptions(comm, [&] {
    const int result = calls.init(buffer, count, type, dest, tag, comm, request);
    if (!is_watched(dest)) return result;
    return remember(result, request, FallibleRequest::send_to(comm, dest).as_persistent());
  });
}

}  // namespace detour::shim

namespace shim = detour::shim;
using shim::below;

#define DETOUR_SENDS(Send, Isend, Send_init, calls)                                              \
  DETOUR_REPLACES_MPI int Send(const void* buf, int count, MPI_Datatype datatype, int dest,      \
                               int tag, MPI_Comm comm) {                                         \
    return shim::send(calls, buf, count, datatype, dest, tag, comm);                             \
  }                                                                                              \
  DETOUR_REPLACES_MPI int Isend(const void* buf, int count, MPI_Datatype datatype, int dest,     \
                                int tag, MPI_Comm comm, MPI_Request* request) {                  \
    return shim::isend(calls, buf, count, datatype, dest, tag, comm, request);                   \
  }                                                                                              \
  DETOUR_REPLACES_MPI int Send_init(const void* buf, int count, MPI_Datatype datatype, int dest, \
                                    int tag, MPI_Comm comm, MPI_Request* request) {              \
    return shim::send_init(calls, buf, count, datatype, dest, tag, comm, request);               \
  }

DETOUR_SENDS(MPI_Send, MPI_Isend, MPI_Send_init, below().standard)
DETOUR_SENDS(MPI_Ssend, MPI_Issend, MPI_Ssend_init, below().synchronous)
DETOUR_SENDS(MPI_Rsend, MPI_Irsend, MPI_Rsend_init, below().ready)
