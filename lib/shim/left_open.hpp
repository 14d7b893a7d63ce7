// The files and windows that the program shares with others, for the end: MPI_Finalize frees those that are left,
// together with all members, and would wait for those that have died.
#pragma once

#include <mpi.h>

namespace detour::shim {

void remember_open(MPI_File file);
void remember_open(MPI_Win win);
void forget_open(MPI_File file);
void forget_open(MPI_Win win);

// Has MPI forget those with dead members. The kernel frees them when the process ends, and what was written to a
// file is written.
void abandon_what_the_dead_share();

}  // namespace detour::shim
