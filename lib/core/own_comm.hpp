// Communicators of the library's own.
#pragma once

#include <mpi.h>

#include "detour/routing/api.hpp"

namespace detour {

// Of the same ranks, and collective over them. Not a duplicate: the program's attributes are not copied to it,
// nor are its functions called that come with them.
DETOUR_API MPI_Comm make_own_comm(MPI_Comm comm);

}  // namespace detour
