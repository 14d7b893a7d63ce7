// Communicators of the library's own.
#pragma once

#include <mpi.h>

namespace detour {

// Of the same ranks, and collective over them. Not a duplicate: the program's attributes are not copied to it,
// nor are its functions called that come with them.
MPI_Comm make_own_comm(MPI_Comm comm);

}  // namespace detour
