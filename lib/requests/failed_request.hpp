// A request that has failed before it began.
#pragma once

#include <mpi.h>

#include "detour/routing/api.hpp"

namespace detour {

// One of the library's own requests, whose operation has ended with that error: what completes requests deals with it
// like with any other. MPI_SUCCESS or a class of error.
DETOUR_API int make_failed_request(MPI_Comm comm, int code, MPI_Request* request);

}  // namespace detour
