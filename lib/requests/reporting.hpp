// Errors of calls on requests that belong to no operation.
#pragma once

#include <mpi.h>

#include "guarded.hpp"

namespace detour {

// For a function's whole body: exceptions are for the world's error handler.
template <class Body>
int reporting_to_world(Body body) {
  return guarded(body, [](int error) {
    PMPI_Comm_call_errhandler(MPI_COMM_WORLD, error);
    return error;
  });
}

}  // namespace detour
