// What completes requests, for Fortran.
#include <mpi.h>

#include <algorithm>

#include "shim/completion.hpp"
#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"
#include "shim/reporting_exceptions.hpp"

using namespace detour::shim;

namespace {

// Positions of the requests that a call has found to be done.
void count_from_one(MPI_Fint* indices, int count) {
  std::for_each(indices, indices + std::max(count, 0), [](MPI_Fint& index) { ++index; });
}

struct List {
  MPI_Fint* array;
  int count;
};

// `complete(requests, statuses)` with these as they are in C, where there may be no memory for them.
template <typename Complete>
void store_completed(const List& list, MPI_Fint* status_array, int status_count, MPI_Fint* error,
                     const Complete& complete) {
  store_error(error, reporting_exceptions([&] {
                Requests requests(list.array, list.count);
                Statuses statuses(status_array, status_count);
                const int result = complete(requests.get(), statuses.get());
                requests.store();
                statuses.store();
                return result;
              }));
}

}  // namespace

DETOUR_FORTRAN(mpi_wait, MPI_WAIT, (MPI_Fint * request, MPI_Fint* status, MPI_Fint* error)) {
  store_completed({request, 1}, status, 1, error, wait);
}

DETOUR_FORTRAN(mpi_waitall, MPI_WAITALL,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* status_array, MPI_Fint* error)) {
  store_completed({array, *count}, status_array, *count, error,
                  [&](MPI_Request* requests, MPI_Status* statuses) {
                    return waitall(*count, requests, statuses);
                  });
}

DETOUR_FORTRAN(mpi_waitany, MPI_WAITANY,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* index, MPI_Fint* status,
                MPI_Fint* error)) {
  int found = MPI_UNDEFINED;
  store_completed({array, *count}, status, 1, error,
                  [&](MPI_Request* requests, MPI_Status* found_status) {
                    return waitany(*count, requests, &found, found_status);
                  });
  store_index(index, found);
}

DETOUR_FORTRAN(mpi_waitsome, MPI_WAITSOME,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* outcount, MPI_Fint* indices,
                MPI_Fint* status_array, MPI_Fint* error)) {
  *outcount = 0;
  store_completed({array, *count}, status_array, *count, error,
                  [&](MPI_Request* requests, MPI_Status* statuses) {
                    return waitsome(*count, requests, outcount, indices, statuses);
                  });
  count_from_one(indices, *outcount);
}

DETOUR_FORTRAN(mpi_test, MPI_TEST,
               (MPI_Fint * request, MPI_Fint* flag, MPI_Fint* status, MPI_Fint* error)) {
  int is_done = 0;
  store_completed({request, 1}, status, 1, error, [&](MPI_Request* requests, MPI_Status* statuses) {
    return test(requests, &is_done, statuses);
  });
  store_flag(flag, is_done);
}

DETOUR_FORTRAN(mpi_testall, MPI_TESTALL,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* flag, MPI_Fint* status_array,
                MPI_Fint* error)) {
  int are_done = 0;
  store_completed({array, *count}, status_array, *count, error,
                  [&](MPI_Request* requests, MPI_Status* statuses) {
                    return testall(*count, requests, &are_done, statuses);
                  });
  store_flag(flag, are_done);
}

DETOUR_FORTRAN(mpi_testany, MPI_TESTANY,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* index, MPI_Fint* flag,
                MPI_Fint* status, MPI_Fint* error)) {
  int found = MPI_UNDEFINED;
  int is_done = 0;
  store_completed({array, *count}, status, 1, error,
                  [&](MPI_Request* requests, MPI_Status* found_status) {
                    return testany(*count, requests, &found, &is_done, found_status);
                  });
  store_index(index, found);
  store_flag(flag, is_done);
}

DETOUR_FORTRAN(mpi_testsome, MPI_TESTSOME,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* outcount, MPI_Fint* indices,
                MPI_Fint* status_array, MPI_Fint* error)) {
  *outcount = 0;
  store_completed({array, *count}, status_array, *count, error,
                  [&](MPI_Request* requests, MPI_Status* statuses) {
                    return testsome(*count, requests, outcount, indices, statuses);
                  });
  count_from_one(indices, *outcount);
}

DETOUR_FORTRAN(mpi_request_get_status, MPI_REQUEST_GET_STATUS,
               (const MPI_Fint* request, MPI_Fint* flag, MPI_Fint* status, MPI_Fint* error)) {
  int is_done = 0;
  store_error(error, reporting_exceptions([&] {
                Statuses statuses(status, 1);
                const int result =
                    request_get_status(PMPI_Request_f2c(*request), &is_done, statuses.get());
                statuses.store();
                return result;
              }));
  store_flag(flag, is_done);
}

DETOUR_FORTRAN(mpi_request_free, MPI_REQUEST_FREE, (MPI_Fint * request, MPI_Fint* error)) {
  store_error(error, reporting_exceptions([&] {
                Requests requests(request, 1);
                const int result = request_free(requests.get());
                requests.store();
                return result;
              }));
}

DETOUR_FORTRAN(mpi_cancel, MPI_CANCEL, (const MPI_Fint* request, MPI_Fint* error)) {
  MPI_Request handle = PMPI_Request_f2c(*request);
  store_error(error, cancel(&handle));
}
