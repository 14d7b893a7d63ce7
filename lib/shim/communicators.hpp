// Communicators are made known to the library as the program makes them, so that a nonblocking operation
// on one finds it prepared.
#pragma once

#include <mpi.h>

namespace detour::shim {

// If it was made (`result`), is no intercommunicator and has other members than this rank. Gives the
// result back: the communicator is a good one even if the library can't serve it, which its error handler
// has been told then.
int prepare(int result, const MPI_Comm* comm);

// MPI's functions, also for those who come from Fortran.
int comm_dup(MPI_Comm comm, MPI_Comm* made);
int comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made);
int comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made);
int comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made);
int comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made);
int comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made);
// Nobody can be met in it, because it must not wait: an error where a death is known.
int comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request);

}  // namespace detour::shim
