#include "bench/detour_comm.hpp"

#include "bench/mpi_job.hpp"
#include "detour/detour.h"

namespace detour::tool {

MPI_Comm duplicate_of_world() {
  MPI_Comm comm = MPI_COMM_NULL;
  PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

std::string prepare_comm(MPI_Comm comm, const CommSettings& settings, Peers& peers) {
  int error = MPI_SUCCESS;
  for (const auto& [name, value] : settings) {
    if (error == MPI_SUCCESS) error = Detour_Set(comm, name.c_str(), value.c_str());
  }
  if (error == MPI_SUCCESS) error = Detour_Prepare(comm);
  return peers.first_complaint(error == MPI_SUCCESS ? "" : mpi_error_text(error));
}

}  // namespace detour::tool
