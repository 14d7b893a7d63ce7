// Detour_Test and its like, and what else is done with a single request.
#include <mpi.h>

#include "detour/detour.h"
#include "next_calls.hpp"
#include "requests/own_requests.hpp"
#include "requests/reporting.hpp"
#include "requests/request_table.hpp"

using detour::next_calls;
using detour::OwnRequests;
using detour::reporting_to_world;

int Detour_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return reporting_to_world([&] {
    const OwnRequests own(1, request);
    if (own.is_empty() || flag == nullptr) return next_calls().test(request, flag, status);
    own.complete_ended();
    const int result = next_calls().test(request, flag, status);
    return result == MPI_SUCCESS && *flag != 0 ? own.report_at(result, 0) : result;
  });
}

int Detour_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return reporting_to_world([&] {
    const OwnRequests own(count, requests);
    if (own.is_empty() || flag == nullptr)
      return next_calls().testall(count, requests, flag, statuses);
    own.complete_ended();
    const int result = next_calls().testall(count, requests, flag, statuses);
    if (result == MPI_SUCCESS && *flag == 0) return result;
    return own.report_all(result, count, requests, statuses);
  });
}

int Detour_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return reporting_to_world([&] {
    const OwnRequests own(count, requests);
    if (own.is_empty() || index == nullptr || flag == nullptr)
      return next_calls().testany(count, requests, index, flag, status);
    own.complete_ended();
    const int result = next_calls().testany(count, requests, index, flag, status);
    return result == MPI_SUCCESS && *flag != 0 ? own.report_at(result, *index) : result;
  });
}

int Detour_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                    MPI_Status statuses[]) {
  return reporting_to_world([&] {
    const OwnRequests own(incount, requests);
    if (own.is_empty() || outcount == nullptr || indices == nullptr)
      return next_calls().testsome(incount, requests, outcount, indices, statuses);
    own.complete_ended();
    *outcount = 0;
    const int result = next_calls().testsome(incount, requests, outcount, indices, statuses);
    return own.report_some(result, *outcount, indices, statuses);
  });
}

int Detour_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return reporting_to_world([&] {
    const OwnRequests own(1, &request);
    own.complete_ended();
    return next_calls().request_get_status(request, flag, status);
  });
}

int Detour_Request_free(MPI_Request* request) {
  return reporting_to_world([&] {
    const OwnRequests own(1, request);
    if (own.is_empty()) return next_calls().request_free(request);
    return own.release(request);
  });
}
