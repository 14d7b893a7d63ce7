#include "mpi/process_failed.hpp"

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace detour {

int process_failed_class() {
#ifdef MPIX_ERR_PROC_FAILED
  return MPIX_ERR_PROC_FAILED;
#else
  static const int error_class = [] {
    int added = MPI_ERR_OTHER;
    if (PMPI_Add_error_class(&added) == MPI_SUCCESS) {
      PMPI_Add_error_string(added, "a rank of the communicator has died");
    }
    return added;
  }();
  return error_class;
#endif
}

}  // namespace detour
