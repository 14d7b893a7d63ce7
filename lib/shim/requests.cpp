// What completes MPI's requests: some of them are the library's, of MPI_Iallreduce.
#include <mpi.h>

#include "detour/detour.h"
#include "shim/export.hpp"

DETOUR_REPLACES_MPI int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return Detour_Wait(request, status);
}

DETOUR_REPLACES_MPI int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return Detour_Waitall(count, requests, statuses);
}

DETOUR_REPLACES_MPI int MPI_Waitany(int count, MPI_Request requests[], int* index,
                                    MPI_Status* status) {
  return Detour_Waitany(count, requests, index, status);
}

DETOUR_REPLACES_MPI int MPI_Waitsome(int incount, MPI_Request requests[], int* outcount,
                                     int indices[], MPI_Status statuses[]) {
  return Detour_Waitsome(incount, requests, outcount, indices, statuses);
}

DETOUR_REPLACES_MPI int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return Detour_Test(request, flag, status);
}

DETOUR_REPLACES_MPI int MPI_Testall(int count, MPI_Request requests[], int* flag,
                                    MPI_Status statuses[]) {
  return Detour_Testall(count, requests, flag, statuses);
}

DETOUR_REPLACES_MPI int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag,
                                    MPI_Status* status) {
  return Detour_Testany(count, requests, index, flag, status);
}

DETOUR_REPLACES_MPI int MPI_Testsome(int incount, MPI_Request requests[], int* outcount,
                                     int indices[], MPI_Status statuses[]) {
  return Detour_Testsome(incount, requests, outcount, indices, statuses);
}

DETOUR_REPLACES_MPI int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return Detour_Request_get_status(request, flag, status);
}

DETOUR_REPLACES_MPI int MPI_Request_free(MPI_Request* request) {
  return Detour_Request_free(request);
}
