// MPI_Recv and its like.
//
// Receives go straight into the program's memory; doom.hpp says why MPI does not write there after an error.
#include "shim/export.hpp"
#include "shim/p2p/ending.hpp"
#include "shim/p2p/point_to_point.hpp"
#include "shim/reporting_exceptions.hpp"

namespace detour::shim {

int recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
         MPI_Status* status) {
  return reporting_exceptions(comm, [&] {
    if (!is_watched(source)) return below().recv(buffer, count, type, source, tag, comm, status);
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = below().irecv(buffer, count, type, source, tag, comm, &request);
    if (error != MPI_SUCCESS) return error;
    return finish(request, FallibleRequest::receive_from(comm, source), status);
  });
}

int irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
          MPI_Request* request) {
  return reporting_exceptions(comm, [&] {
    const int result = below().irecv(buffer, count, type, source, tag, comm, request);
    if (!is_watched(source)) return result;
    return remember(result, request, FallibleRequest::receive_from(comm, source));
  });
}

int recv_init(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return reporting_exceptions(comm, [&] {
    const int result = below().recv_init(buffer, count, type, source, tag, comm, request);
    if (!is_watched(source)) return result;
    return remember(result, request, FallibleRequest::receive_from(comm, source).as_persistent());
  });
}

}  // namespace detour::shim

namespace shim = detour::shim;

DETOUR_REPLACES_MPI int MPI_Recv(void* buf, int count, MPI_Datatype datatype, int source, int tag,
                                 MPI_Comm comm, MPI_Status* status) {
  return shim::recv(buf, count, datatype, source, tag, comm, status);
}

DETOUR_REPLACES_MPI int MPI_Irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag,
                                  MPI_Comm comm, MPI_Request* request) {
  return shim::irecv(buf, count, datatype, source, tag, comm, request);
}

DETOUR_REPLACES_MPI int MPI_Recv_init(void* buf, int count, MPI_Datatype datatype, int source,
                                      int tag, MPI_Comm comm, MPI_Request* request) {
  return shim::recv_init(buf, count, datatype, source, tag, comm, request);
}
