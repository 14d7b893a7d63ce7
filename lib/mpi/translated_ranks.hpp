// The same processes by their ranks elsewhere.
#pragma once

#include <mpi.h>

#include <vector>

#include "detour/routing/api.hpp"

namespace detour {

// Of all members of the group, in its order: their ranks in the communicator, of which there is one group;
// MPI_UNDEFINED for who is not there.
DETOUR_API std::vector<int> ranks_in(MPI_Comm comm, MPI_Group group);
// Of all members of the communicator, of its own group if there are two, in MPI_COMM_WORLD.
DETOUR_API std::vector<int> world_ranks_of(MPI_Comm comm);
// Of one that messages on the communicator may go to, of its remote group if there are two. MPI_UNDEFINED for
// who is not in MPI_COMM_WORLD, and for whatever is no rank.
DETOUR_API int world_rank_of(MPI_Comm comm, int peer);

}  // namespace detour
