// What completes MPI's requests, for C and for Fortran. Some are the library's own, of MPI_Iallreduce; some may wait
// for ranks that die.
#pragma once

#include <mpi.h>

namespace detour::shim {

int wait(MPI_Request* request, MPI_Status* status);
int waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int waitany(int count, MPI_Request requests[], int* index, MPI_Status* status);
int waitsome(int in_count, MPI_Request requests[], int* out_count, int indices[],
             MPI_Status statuses[]);
int test(MPI_Request* request, int* flag, MPI_Status* status);
int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]);
int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status);
int testsome(int in_count, MPI_Request requests[], int* out_count, int indices[],
             MPI_Status statuses[]);
// For a request that can't end: says that it has ended, and returns its error, which is also in the status.
int request_get_status(MPI_Request request, int* flag, MPI_Status* status);
int request_free(MPI_Request* request);
int cancel(MPI_Request* request);

}  // namespace detour::shim
