// Errors of calls on requests that belong to no operation.
#pragma once

#include <mpi.h>

#include "guarded.hpp"
#include "mpi/report.hpp"

namespace detour {

// For a function's whole body: exceptions are for the world's error handler.
template <class Body>
int reporting_to_world(Body body) {
  return guarded(body, [](int error) { return report(MPI_COMM_WORLD, error); });
}

}  // namespace detour
