// MPI_ABORT, for Fortran.
#include "shim/abort.hpp"

#include <mpi.h>

#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"

using namespace detour::shim;

DETOUR_FORTRAN(mpi_abort, MPI_ABORT,
               (const MPI_Fint* comm, const MPI_Fint* status, MPI_Fint* error)) {
  store_error(error, abort(comm_of(comm), *status));
}
