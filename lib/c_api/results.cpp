// Whose data is in results.
#include "c_api/collective.hpp"
#include "detour/detour.h"
#include "operation_result.hpp"
#include "requests/own_requests.hpp"

using namespace detour;

namespace {

// Until then the communicator has nothing to tell of.
bool has_ended_any_well(Communicator& communicator) {
  const CommunicatorStatistics counted = communicator.statistics();
  return counted.operation_count > counted.error_count;
}

// The words are this thread's until it asks again: those of the communicator may change at any time.
void tell(const OperationResult& result, Detour_Result& told) {
  thread_local std::vector<std::uint64_t> words;
  words = result.contributors.words();
  told = {.contributor_count = static_cast<int>(result.contributors.members().size()),
          .contributors = words.data(),
          .word_count = static_cast<int>(words.size()),
          .attempts = result.attempt_count,
          .epoch = result.epoch};
}

}  // namespace

int Detour_Last_result(MPI_Comm comm, Detour_Result* result) {
  if (const int error = check_communicator(comm); error != MPI_SUCCESS) {
    return report(MPI_COMM_WORLD, error);
  }
  return reporting(comm, [&] {
    if (result == nullptr) return report(comm, MPI_ERR_ARG);
    *result = {};
    const auto communicator = share_communicator(comm);
    if (communicator && has_ended_any_well(*communicator)) {
      tell(communicator->last_result(), *result);
    }
    return MPI_SUCCESS;
  });
}

int Detour_Request_result(MPI_Request request, Detour_Result* result) {
  return reporting(MPI_COMM_WORLD, [&] {
    if (result == nullptr) return report(MPI_COMM_WORLD, MPI_ERR_ARG);
    const OwnRequests own(1, &request);
    if (own.is_empty()) return report(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    own.wait_for_all();
    const PendingOperation& operation = own.first_operation();
    if (operation.error() != MPI_SUCCESS) return operation.error();
    if (operation.result() == nullptr) return report(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    tell(*operation.result(), *result);
    return MPI_SUCCESS;
  });
}
