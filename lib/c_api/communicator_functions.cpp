#include <string_view>
#include <vector>

#include "c_api/collective.hpp"
#include "detour/detour.h"
#include "log.hpp"

using namespace detour;

int Detour_Prepare(MPI_Comm comm) {
  return reporting(comm, [comm] { return service_for(comm).error; });
}

namespace {

int set(MPI_Comm comm, const char* name, const char* value) {
  if (name == nullptr) return report(comm, MPI_ERR_ARG);
  const Service service = service_for(comm);
  if (service.error != MPI_SUCCESS) return service.error;
  if (service.communicator == nullptr) return report(comm, MPI_ERR_COMM);
  const auto changed = service.communicator->set(name, value == nullptr ? "" : value);
  if (changed.ok()) return MPI_SUCCESS;
  log(LogLevel::error, changed.reason());
  return report(comm, MPI_ERR_ARG);
}

}  // namespace

int Detour_Set(MPI_Comm comm, const char* name, const char* value) {
  return reporting(comm, [&] { return set(comm, name, value); });
}

int Detour_Last_recovery(MPI_Comm comm, Detour_Recovery* recovery) {
  if (const int error = check_communicator(comm); error != MPI_SUCCESS) {
    return report(MPI_COMM_WORLD, error);
  }
  if (recovery == nullptr) return report(comm, MPI_ERR_ARG);
  *recovery = {};
  const auto communicator = share_communicator(comm);
  if (!communicator) return MPI_SUCCESS;
  const RecoveryTimes times = communicator->last_recovery();
  *recovery = {.count = times.count,
               .noticed_ns = times.noticed_ns,
               .broken_ns = times.broken_ns,
               .agreed_ns = times.agreed_ns,
               .begun_ns = times.begun_ns,
               .completed_ns = times.completed_ns};
  return MPI_SUCCESS;
}

int Detour_Get_statistics(MPI_Comm comm, Detour_Statistics* statistics) {
  if (const int error = check_communicator(comm); error != MPI_SUCCESS) {
    return report(MPI_COMM_WORLD, error);
  }
  if (statistics == nullptr) return report(comm, MPI_ERR_ARG);
  *statistics = {};
  const auto communicator = share_communicator(comm);
  if (!communicator) return MPI_SUCCESS;
  const CommunicatorStatistics counted = communicator->statistics();
  statistics->operation_count = counted.operation_count;
  statistics->payload_bytes = counted.payload_bytes;
  statistics->error_count = counted.error_count;
  statistics->memory_bytes = communicator->process().used_bytes();
  statistics->memory_limit_bytes = communicator->process().memory_limit_bytes();
  return MPI_SUCCESS;
}
