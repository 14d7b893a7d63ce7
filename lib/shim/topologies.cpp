// Communicators with a topology: the program's numbers say how many ranks there are, so they are made of all or not at
// all.
#include <mpi.h>

#include "core/new_communicators.hpp"
#include "shim/below.hpp"
#include "shim/export.hpp"

using detour::make_communicator_of_all;
using detour::shim::below;

DETOUR_REPLACES_MPI int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[],
                                        const int periods[], int reorder, MPI_Comm* newcomm) {
  return make_communicator_of_all(
      comm, "MPI_Cart_create",
      [&](MPI_Comm* made) {
        return below().cart_create(comm, ndims, dims, periods, reorder, made);
      },
      newcomm);
}

DETOUR_REPLACES_MPI int MPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) {
  return make_communicator_of_all(
      comm, "MPI_Cart_sub",
      [&](MPI_Comm* made) { return below().cart_sub(comm, remain_dims, made); }, newcomm);
}

DETOUR_REPLACES_MPI int MPI_Graph_create(MPI_Comm comm, int nnodes, const int index[],
                                         const int edges[], int reorder, MPI_Comm* newcomm) {
  return make_communicator_of_all(
      comm, "MPI_Graph_create",
      [&](MPI_Comm* made) {
        return below().graph_create(comm, nnodes, index, edges, reorder, made);
      },
      newcomm);
}

DETOUR_REPLACES_MPI int MPI_Dist_graph_create(MPI_Comm comm, int n, const int nodes[],
                                              const int degrees[], const int targets[],
                                              const int weights[], MPI_Info info, int reorder,
                                              MPI_Comm* newcomm) {
  return make_communicator_of_all(
      comm, "MPI_Dist_graph_create",
      [&](MPI_Comm* made) {
        return below().dist_graph_create(comm, n, nodes, degrees, targets, weights, info, reorder,
                                         made);
      },
      newcomm);
}

DETOUR_REPLACES_MPI int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree,
                                                       const int sources[],
                                                       const int sourceweights[], int outdegree,
                                                       const int destinations[],
                                                       const int destweights[], MPI_Info info,
                                                       int reorder, MPI_Comm* newcomm) {
  return make_communicator_of_all(
      comm, "MPI_Dist_graph_create_adjacent",
      [&](MPI_Comm* made) {
        return below().dist_graph_create_adjacent(comm, indegree, sources, sourceweights, outdegree,
                                                  destinations, destweights, info, reorder, made);
      },
      newcomm);
}
