// How many neighbours the caller has in a communicator with a topology.
#pragma once

#include <mpi.h>

namespace detour::shim {

struct Neighbours {
  int source_count = 0;
  int destination_count = 0;
};

// None without a topology.
Neighbours neighbours_in(MPI_Comm comm);

}  // namespace detour::shim
