// What completes requests, for Fortran.
#include <mpi.h>

#include <algorithm>

#include "shim/completion.hpp"
#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"

using namespace detour::shim;

namespace {

// Positions of the requests that a call has found to be done.
void count_from_one(MPI_Fint* indices, int count) {
  std::for_each(indices, indices + std::max(count, 0), [](MPI_Fint& index) { ++index; });
}

}  // namespace

DETOUR_FORTRAN(mpi_wait, MPI_WAIT, (MPI_Fint * request, MPI_Fint* status, MPI_Fint* error)) {
  Requests requests(request, 1);
  Statuses statuses(status, 1);
  store_error(error, wait(requests.get(), statuses.get()));
  requests.store();
  statuses.store();
}

DETOUR_FORTRAN(mpi_waitall, MPI_WAITALL,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* status_array, MPI_Fint* error)) {
  Requests requests(array, *count);
  Statuses statuses(status_array, *count);
  store_error(error, waitall(*count, requests.get(), statuses.get()));
  requests.store();
  statuses.store();
}

DETOUR_FORTRAN(mpi_waitany, MPI_WAITANY,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* index, MPI_Fint* status,
                MPI_Fint* error)) {
  Requests requests(array, *count);
  Statuses statuses(status, 1);
  int found = MPI_UNDEFINED;
  store_error(error, waitany(*count, requests.get(), &found, statuses.get()));
  store_index(index, found);
  requests.store();
  statuses.store();
}

DETOUR_FORTRAN(mpi_waitsome, MPI_WAITSOME,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* outcount, MPI_Fint* indices,
                MPI_Fint* status_array, MPI_Fint* error)) {
  Requests requests(array, *count);
  Statuses statuses(status_array, *count);
  *outcount = 0;
  store_error(error, waitsome(*count, requests.get(), outcount, indices, statuses.get()));
  count_from_one(indices, *outcount);
  requests.store();
  statuses.store();
}

DETOUR_FORTRAN(mpi_test, MPI_TEST,
               (MPI_Fint * request, MPI_Fint* flag, MPI_Fint* status, MPI_Fint* error)) {
  Requests requests(request, 1);
  Statuses statuses(status, 1);
  int is_done = 0;
  store_error(error, test(requests.get(), &is_done, statuses.get()));
  store_flag(flag, is_done);
  requests.store();
  statuses.store();
}

DETOUR_FORTRAN(mpi_testall, MPI_TESTALL,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* flag, MPI_Fint* status_array,
                MPI_Fint* error)) {
  Requests requests(array, *count);
  Statuses statuses(status_array, *count);
  int are_done = 0;
  store_error(error, testall(*count, requests.get(), &are_done, statuses.get()));
  store_flag(flag, are_done);
  requests.store();
  statuses.store();
}

DETOUR_FORTRAN(mpi_testany, MPI_TESTANY,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* index, MPI_Fint* flag,
                MPI_Fint* status, MPI_Fint* error)) {
  Requests requests(array, *count);
  Statuses statuses(status, 1);
  int found = MPI_UNDEFINED;
  int is_done = 0;
  store_error(error, testany(*count, requests.get(), &found, &is_done, statuses.get()));
  store_index(index, found);
  store_flag(flag, is_done);
  requests.store();
  statuses.store();
}

DETOUR_FORTRAN(mpi_testsome, MPI_TESTSOME,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* outcount, MPI_Fint* indices,
                MPI_Fint* status_array, MPI_Fint* error)) {
  Requests requests(array, *count);
  Statuses statuses(status_array, *count);
  *outcount = 0;
  store_error(error, testsome(*count, requests.get(), outcount, indices, statuses.get()));
  count_from_one(indices, *outcount);
  requests.store();
  statuses.store();
}

DETOUR_FORTRAN(mpi_request_get_status, MPI_REQUEST_GET_STATUS,
               (const MPI_Fint* request, MPI_Fint* flag, MPI_Fint* status, MPI_Fint* error)) {
  Statuses statuses(status, 1);
  int is_done = 0;
  store_error(error, request_get_status(PMPI_Request_f2c(*request), &is_done, statuses.get()));
  store_flag(flag, is_done);
  statuses.store();
}

DETOUR_FORTRAN(mpi_request_free, MPI_REQUEST_FREE, (MPI_Fint * request, MPI_Fint* error)) {
  Requests requests(request, 1);
  store_error(error, request_free(requests.get()));
  requests.store();
}

DETOUR_FORTRAN(mpi_cancel, MPI_CANCEL, (const MPI_Fint* request, MPI_Fint* error)) {
  MPI_Request handle = PMPI_Request_f2c(*request);
  store_error(error, cancel(&handle));
}
