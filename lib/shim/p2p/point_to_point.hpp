// Messages between two ranks, one of which may die: MPI's functions, also for those who come from Fortran.
//
// Where deaths are noticed (dead_ranks.hpp) no call waits inside MPI: it begins there what it has to do, and looks in turn
// at that and at who has died. Elsewhere calls go to MPI as they come. A blocking call on a dead rank returns an
// error that names it; a nonblocking one gives a request that fails when it is completed. What the dead had
// sent is received first.
#pragma once

#include <mpi.h>

#include "shim/below.hpp"

namespace detour::shim {

// `calls` is the way of sending: one of those in below(). The buffered way is in buffered_sends.hpp.
int send(const SendCalls& calls, const void* buffer, int count, MPI_Datatype type, int dest,
         int tag, MPI_Comm comm);
int isend(const SendCalls& calls, const void* buffer, int count, MPI_Datatype type, int dest,
          int tag, MPI_Comm comm, MPI_Request* request);
int send_init(const SendCalls& calls, const void* buffer, int count, MPI_Datatype type, int dest,
              int tag, MPI_Comm comm, MPI_Request* request);

int recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
         MPI_Status* status);
int irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
          MPI_Request* request);
int recv_init(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request);

int start(MPI_Request* request);
int startall(int count, MPI_Request requests[]);

// As if begun as two operations and waited for together: if one rank is dead, the other one's part is done all the
// same, because that one waits for it.
int sendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type, int dest,
             int send_tag, void* receive_buffer, int receive_count, MPI_Datatype receive_type,
             int source, int receive_tag, MPI_Comm comm, MPI_Status* status);
int sendrecv_replace(void* buffer, int count, MPI_Datatype type, int dest, int send_tag, int source,
                     int receive_tag, MPI_Comm comm, MPI_Status* status);

int probe(int source, int tag, MPI_Comm comm, MPI_Status* status);
int iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status);
int mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status);
int improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
            MPI_Status* status);
int mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status);
int imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request);

int comm_free(MPI_Comm* comm);
// Before a communicator goes: its requests stay known, and the messages that were found on it.
void forget_requests_on(MPI_Comm comm);
void forget_messages_on(MPI_Comm comm);

}  // namespace detour::shim
