#include "core/own_comm.hpp"

namespace detour {

MPI_Comm make_own_comm(MPI_Comm comm) {
  MPI_Group members = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &members);
  MPI_Comm own = MPI_COMM_NULL;
  PMPI_Comm_create(comm, members, &own);
  PMPI_Group_free(&members);
  return own;
}

}  // namespace detour
