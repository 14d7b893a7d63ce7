// What completes MPI's requests.
#include <mpi.h>

#include "shim/completion.hpp"
#include "shim/export.hpp"

namespace shim = detour::shim;

DETOUR_REPLACES_MPI int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return shim::wait(request, status);
}

DETOUR_REPLACES_MPI int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return shim::waitall(count, requests, statuses);
}

DETOUR_REPLACES_MPI int MPI_Waitany(int count, MPI_Request requests[], int* index,
                                    MPI_Status* status) {
  return shim::waitany(count, requests, index, status);
}

DETOUR_REPLACES_MPI int MPI_Waitsome(int incount, MPI_Request requests[], int* outcount,
                                     int indices[], MPI_Status statuses[]) {
  return shim::waitsome(incount, requests, outcount, indices, statuses);
}

DETOUR_REPLACES_MPI int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return shim::test(request, flag, status);
}

DETOUR_REPLACES_MPI int MPI_Testall(int count, MPI_Request requests[], int* flag,
                                    MPI_Status statuses[]) {
  return shim::testall(count, requests, flag, statuses);
}

DETOUR_REPLACES_MPI int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag,
                                    MPI_Status* status) {
  return shim::testany(count, requests, index, flag, status);
}

DETOUR_REPLACES_MPI int MPI_Testsome(int incount, MPI_Request requests[], int* outcount,
                                     int indices[], MPI_Status statuses[]) {
  return shim::testsome(incount, requests, outcount, indices, statuses);
}

DETOUR_REPLACES_MPI int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return shim::request_get_status(request, flag, status);
}

DETOUR_REPLACES_MPI int MPI_Request_free(MPI_Request* request) {
  return shim::request_free(request);
}

DETOUR_REPLACES_MPI int MPI_Cancel(MPI_Request* request) {
  return shim::cancel(request);
}
