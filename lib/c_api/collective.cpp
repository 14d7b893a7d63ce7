#include "c_api/collective.hpp"

#include "core/dead_ranks.hpp"
#include "fault_points.hpp"
#include "log.hpp"
#include "mpi/arguments.hpp"

namespace detour {

Service service_for(MPI_Comm comm) {
  DETOUR_FAULT_POINT("call-began");
  if (const int error = check_communicator(comm); error != MPI_SUCCESS) {
    return {nullptr, report(MPI_COMM_WORLD, error)};
  }
  Communicator* communicator = find_communicator(comm);
  if (communicator == nullptr) {
    const auto made = make_known(comm);
    if (made.refused()) {
      return {nullptr, report_process_failed(comm, process_failed_code(dead_ranks(comm)))};
    }
    if (!made.ok()) {
      log(LogLevel::error, made.reason());
      return {nullptr, report(comm, MPI_ERR_OTHER)};
    }
    communicator = made.value();
  }
  return {communicator, MPI_SUCCESS};
}

}  // namespace detour
