// MPI_INIT and what goes with it, for Fortran.
#include "shim/start_and_end.hpp"

#include <mpi.h>

#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"

using namespace detour::shim;

namespace {

// There are none in Fortran. Tools may look at them all the same.
struct NoArguments {
  int count = 0;
  char** list = nullptr;
};

}  // namespace

DETOUR_FORTRAN(mpi_init, MPI_INIT, (MPI_Fint * error)) {
  NoArguments none;
  store_error(error, init(&none.count, &none.list));
}

DETOUR_FORTRAN(mpi_init_thread, MPI_INIT_THREAD,
               (const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error)) {
  NoArguments none;
  store_error(error, init_thread(&none.count, &none.list, *required, provided));
}

DETOUR_FORTRAN(mpi_query_thread, MPI_QUERY_THREAD, (MPI_Fint * provided, MPI_Fint* error)) {
  store_error(error, query_thread(provided));
}

DETOUR_FORTRAN(mpi_finalize, MPI_FINALIZE, (MPI_Fint * error)) {
  store_error(error, finalize());
}
