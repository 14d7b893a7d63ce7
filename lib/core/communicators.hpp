// Finds what the library knows of a communicator: it is kept with the communicator itself, as an
// attribute, so that MPI tells when it goes.
#pragma once

#include <mpi.h>

#include "core/communicator.hpp"
#include "core/lineage.hpp"

namespace detour {

// Nothing if the communicator has not been made known.
[[gnu::hot]] Communicator* find_communicator(MPI_Comm comm);
// The same, and also nothing if it is not the one that this thread asked for last: then find_communicator() may know more.
[[gnu::hot]] Communicator* find_last_communicator(MPI_Comm comm);
// The same for those who need it beyond the communicator's end.
std::shared_ptr<Communicator> share_communicator(MPI_Comm comm);

// Makes a communicator known. Collective over it, and blocking. Nothing for one of two groups, which the
// library does not serve; fails on all ranks alike. Refuses if a member has died, on all that live.
Outcome<Communicator*> make_known(MPI_Comm comm);
// The same for members who have been bound before it was there.
Outcome<Communicator*> make_known(MPI_Comm comm, Binding binding);

// For communicators that are made out of this one. None unless its ranks are on this node and share memory.
std::shared_ptr<Lineage> lineage_of(MPI_Comm comm);

}  // namespace detour
