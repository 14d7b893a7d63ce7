// Sends from a buffer that the program lends: MPI_Bsend and its like.
//
// MPI_Buffer_detach waits inside MPI until all of them are on their way, which those to the dead never are. So where
// deaths are noticed the messages are kept here, in memory of the library's own, and MPI's buffer stays empty; how much of
// it there is says how many may be under way.
#pragma once

#include <mpi.h>

namespace detour::shim {

// Bsend, if that is what starting the persistent request means. Nothing happens for others.
int send_if_buffered(MPI_Request persistent);
// The program has freed a request.
void forget_if_buffered(MPI_Request persistent);

// Waits until all are on their way that can be.
void finish_buffered_sends();

int bsend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int ibsend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
           MPI_Request* request);
int bsend_init(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request* request);
int buffer_attach(void* buffer, int bytes);
int buffer_detach(void* buffer_address, int* bytes);

}  // namespace detour::shim
