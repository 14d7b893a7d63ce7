// Where calls go that the library leaves to MPI.
//
// By default straight to PMPI. The preloaded library puts the functions there that come after its own, so
// that tools which are loaded behind it see those calls as they would without us.
#pragma once

#include <mpi.h>

#include "detour/routing/api.hpp"

namespace detour {

struct NextCalls {
  decltype(&PMPI_Allreduce) allreduce = PMPI_Allreduce;
  decltype(&PMPI_Iallreduce) iallreduce = PMPI_Iallreduce;
  decltype(&PMPI_Reduce) reduce = PMPI_Reduce;
  decltype(&PMPI_Bcast) bcast = PMPI_Bcast;
  decltype(&PMPI_Allgather) allgather = PMPI_Allgather;
  decltype(&PMPI_Allgatherv) allgatherv = PMPI_Allgatherv;
  decltype(&PMPI_Reduce_scatter) reduce_scatter = PMPI_Reduce_scatter;
  decltype(&PMPI_Reduce_scatter_block) reduce_scatter_block = PMPI_Reduce_scatter_block;
  decltype(&PMPI_Barrier) barrier = PMPI_Barrier;
  decltype(&PMPI_Wait) wait = PMPI_Wait;
  decltype(&PMPI_Waitall) waitall = PMPI_Waitall;
  decltype(&PMPI_Waitany) waitany = PMPI_Waitany;
  decltype(&PMPI_Waitsome) waitsome = PMPI_Waitsome;
  decltype(&PMPI_Test) test = PMPI_Test;
  decltype(&PMPI_Testall) testall = PMPI_Testall;
  decltype(&PMPI_Testany) testany = PMPI_Testany;
  decltype(&PMPI_Testsome) testsome = PMPI_Testsome;
  decltype(&PMPI_Request_get_status) request_get_status = PMPI_Request_get_status;
  decltype(&PMPI_Request_free) request_free = PMPI_Request_free;
};

// Written once, before any call is made (while MPI starts); only read afterwards.
DETOUR_API NextCalls& next_calls();

}  // namespace detour
