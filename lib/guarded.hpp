// Exceptions as MPI's classes of errors: none gets out of functions that C programs call.
#pragma once

#include <mpi.h>

#include <exception>
#include <new>

namespace detour {

// What the body returns, or the class of error that its exception stands for.
template <class Body>
int guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  } catch (const std::exception&) {
    return MPI_ERR_INTERN;
  }
}

// For a function's whole body, which returns errors that it has reported: `report` does that for exceptions.
template <class Body, class Report>
int guarded(Body body, Report report) {
  int result = MPI_SUCCESS;
  const int thrown = guarded([&] {
    result = body();
    return MPI_SUCCESS;
  });
  return thrown == MPI_SUCCESS ? result : report(thrown);
}

}  // namespace detour
