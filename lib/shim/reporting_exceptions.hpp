// Exceptions don't get out of MPI's functions: they are errors for an error handler.
#pragma once

#include <mpi.h>

#include "guarded.hpp"
#include "shim/call_subject.hpp"

namespace detour::shim {

template <class Body>
int reporting_exceptions(MPI_Comm comm, Body body) {
  return guarded(body, [&](int error) { return report(comm, error); });
}

// Of calls on requests, which may be of any communicator.
template <class Body>
int reporting_exceptions(Body body) {
  return reporting_exceptions(MPI_COMM_WORLD, body);
}

}  // namespace detour::shim
