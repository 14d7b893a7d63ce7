#include "shim/neighbours.hpp"

namespace detour::shim {

Neighbours neighbours_in(MPI_Comm comm) {
  int kind = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &kind);
  Neighbours found;
  if (kind == MPI_CART) {
    int dimension_count = 0;
    PMPI_Cartdim_get(comm, &dimension_count);
    found = {2 * dimension_count, 2 * dimension_count};
  } else if (kind == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &found.source_count);
    found.destination_count = found.source_count;
  } else if (kind == MPI_DIST_GRAPH) {
    int is_weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &found.source_count, &found.destination_count,
                                    &is_weighted);
  }
  return found;
}

}  // namespace detour::shim
