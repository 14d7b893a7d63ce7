// Finds what the library knows of a communicator: it is kept with the communicator itself, as an
// attribute, so that MPI tells when it goes.
#pragma once

#include <mpi.h>

#include "core/communicator.hpp"

namespace detour {

// Nothing if the communicator has not been made known.
Communicator* find_communicator(MPI_Comm comm);
// The same for those who need it beyond the communicator's end.
std::shared_ptr<Communicator> share_communicator(MPI_Comm comm);

// Makes a communicator known. Collective over it, and blocking. Nothing for one of two groups, which the
// library does not serve; fails on all ranks alike.
Outcome<Communicator*> make_known(MPI_Comm comm);

}  // namespace detour
