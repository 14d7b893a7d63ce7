#include "core/far_comm.hpp"

#include "core/own_comm.hpp"

namespace detour {

FarComm::FarComm(MPI_Comm comm, const std::vector<bool>& is_near) {
  route_.comm = make_own_comm(comm);
  PMPI_Comm_set_errhandler(route_.comm, MPI_ERRORS_RETURN);
  route_.tag_count = available_tag_count();
  for (std::size_t rank = 0; rank < is_near.size(); ++rank) {
    route_.comm_ranks.push_back(is_near[rank] ? MPI_PROC_NULL : static_cast<int>(rank));
  }
}

FarComm::~FarComm() {
  // After MPI_Finalize there is nothing left to free.
  int is_over = 0;
  PMPI_Finalized(&is_over);
  if (is_over == 0 && route_.comm != MPI_COMM_NULL) PMPI_Comm_free(&route_.comm);
}

}  // namespace detour
