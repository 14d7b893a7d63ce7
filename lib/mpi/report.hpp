// Errors on their way to the program.
#pragma once

#include <mpi.h>

namespace detour {

// Through the communicator's error handler, as MPI does: returns only if that does.
inline int report(MPI_Comm comm, int error) {
  PMPI_Comm_call_errhandler(comm, error);
  return error;
}

}  // namespace detour
