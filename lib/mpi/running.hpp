// Whether MPI's functions may be called.
#pragma once

#include <mpi.h>

namespace detour {

inline bool mpi_is_running() {
  int has_begun = 0;
  int has_ended = 0;
  PMPI_Initialized(&has_begun);
  PMPI_Finalized(&has_ended);
  return has_begun != 0 && has_ended == 0;
}

}  // namespace detour
