// Communicators made out of others, of those members who live.
#include "core/new_communicators.hpp"
#include "c_api/collective.hpp"
#include "detour/detour.h"

using namespace detour;

namespace {

// A parent that the library meets here for the first time has to be known to it, so that deaths are noticed.
int make(MPI_Comm parent, const NewCommunicator& wanted, const MakeByMpi& by_mpi, MPI_Comm* made) {
  return reporting(parent, [&] {
    if (made == nullptr) return report(parent, MPI_ERR_ARG);
    if (const int error = service_for(parent).error; error != MPI_SUCCESS) return error;
    return make_communicator(parent, wanted, by_mpi, made);
  });
}

}  // namespace

int Detour_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  return make(
      comm, {.function = "Detour_Comm_dup", .color = 0},
      [&](MPI_Comm* place) { return PMPI_Comm_dup(comm, place); }, newcomm);
}

int Detour_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  return make(
      comm, split_into("Detour_Comm_split", color, key),
      [&](MPI_Comm* place) { return PMPI_Comm_split(comm, color, key, place); }, newcomm);
}
