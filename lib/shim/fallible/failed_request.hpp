// A request that has failed before it began.
#pragma once

#include <mpi.h>

namespace detour::shim {

// One of the library's own requests, whose operation has ended with that error: what completes requests deals with it
// like with any other. Where the error handler is MPI_ERRORS_ARE_FATAL it ends the whole job. MPI_SUCCESS or a class of
// error.
int make_failed_request(MPI_Comm comm, int code, MPI_Request* request);

// Takes one back that nobody has seen.
void take_back_failed_request(MPI_Request request);

}  // namespace detour::shim
