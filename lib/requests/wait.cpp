// Detour_Wait and its like.
//
// Where all requests have to end, ours are waited for first and the call then goes to MPI as it came. Where
// some may end, both kinds are looked at in turn, with MPI's test on the whole list. Null pointers are for MPI to
// complain about.
#include <mpi.h>

#include "detour/detour.h"
#include "next_calls.hpp"
#include "requests/own_requests.hpp"
#include "requests/reporting.hpp"

using detour::next_calls;
using detour::OwnRequests;
using detour::reporting_to_world;

int Detour_Wait(MPI_Request* request, MPI_Status* status) {
  return reporting_to_world([&] {
    const OwnRequests own(1, request);
    if (own.is_empty()) return next_calls().wait(request, status);
    own.wait_for_all();
    return own.report_at(next_calls().wait(request, status), 0);
  });
}

int Detour_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return reporting_to_world([&] {
    const OwnRequests own(count, requests);
    if (own.is_empty()) return next_calls().waitall(count, requests, statuses);
    own.wait_for_all();
    const int result = next_calls().waitall(count, requests, statuses);
    return own.report_all(result, count, requests, statuses);
  });
}

int Detour_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return reporting_to_world([&] {
    const OwnRequests own(count, requests);
    if (own.is_empty() || index == nullptr)
      return next_calls().waitany(count, requests, index, status);
    for (unsigned look_count = 0;; ++look_count) {
      own.complete_ended();
      int flag = 0;
      const int result = next_calls().testany(count, requests, index, &flag, status);
      if (result != MPI_SUCCESS) return result;
      if (flag != 0) return own.report_at(result, *index);
      own.pause(look_count);
    }
  });
}

int Detour_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                    MPI_Status statuses[]) {
  return reporting_to_world([&] {
    const OwnRequests own(incount, requests);
    if (own.is_empty() || outcount == nullptr || indices == nullptr)
      return next_calls().waitsome(incount, requests, outcount, indices, statuses);
    for (unsigned look_count = 0;; ++look_count) {
      own.complete_ended();
      *outcount = 0;
      const int result = next_calls().testsome(incount, requests, outcount, indices, statuses);
      if (result != MPI_SUCCESS || *outcount != 0) {
        return own.report_some(result, *outcount, indices, statuses);
      }
      own.pause(look_count);
    }
  });
}
