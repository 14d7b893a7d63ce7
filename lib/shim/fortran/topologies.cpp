// Communicators with a topology, for Fortran: logicals and the weights that stand for none are left to MPI's own
// procedures, or those of a tool behind this library.
#include <dlfcn.h>
#include <mpi.h>

#include "core/new_communicators.hpp"
#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"

using namespace detour::shim;

namespace {

// The last two arguments are the new communicator and the error, which may be absent.
template <class... Arguments>
void make(const char* function, const char* procedure, const MPI_Fint* comm, MPI_Fint* newcomm,
          MPI_Fint* error, Arguments... arguments) {
  using Procedure = void (*)(const MPI_Fint*, Arguments..., MPI_Fint*, MPI_Fint*);
  const auto next = reinterpret_cast<Procedure>(::dlsym(RTLD_NEXT, procedure));
  MPI_Comm made = MPI_COMM_NULL;
  const int result = detour::make_communicator_of_all(
      comm_of(comm), function,
      [&](MPI_Comm* place) {
        if (next == nullptr) return MPI_ERR_INTERN;
        MPI_Fint handle = PMPI_Comm_c2f(MPI_COMM_NULL);
        MPI_Fint outcome = MPI_SUCCESS;
        next(comm, arguments..., &handle, &outcome);
        *place = PMPI_Comm_f2c(handle);
        return static_cast<int>(outcome);
      },
      &made);
  if (result == MPI_SUCCESS) *newcomm = PMPI_Comm_c2f(made);
  store_error(error, result);
}

using In = const MPI_Fint*;

}  // namespace

DETOUR_FORTRAN(mpi_cart_create, MPI_CART_CREATE,
               (In comm, In ndims, In dims, In periods, In reorder, MPI_Fint* newcomm,
                MPI_Fint* error)) {
  make("MPI_Cart_create", "mpi_cart_create_", comm, newcomm, error, ndims, dims, periods, reorder);
}

DETOUR_FORTRAN(mpi_cart_sub, MPI_CART_SUB,
               (In comm, In remain_dims, MPI_Fint* newcomm, MPI_Fint* error)) {
  make("MPI_Cart_sub", "mpi_cart_sub_", comm, newcomm, error, remain_dims);
}

DETOUR_FORTRAN(mpi_graph_create, MPI_GRAPH_CREATE,
               (In comm, In nnodes, In index, In edges, In reorder, MPI_Fint* newcomm,
                MPI_Fint* error)) {
  make("MPI_Graph_create", "mpi_graph_create_", comm, newcomm, error, nnodes, index, edges,
       reorder);
}

DETOUR_FORTRAN(mpi_dist_graph_create, MPI_DIST_GRAPH_CREATE,
               (In comm, In n, In nodes, In degrees, In targets, In weights, In info, In reorder,
                MPI_Fint* newcomm, MPI_Fint* error)) {
  make("MPI_Dist_graph_create", "mpi_dist_graph_create_", comm, newcomm, error, n, nodes, degrees,
       targets, weights, info, reorder);
}

DETOUR_FORTRAN(mpi_dist_graph_create_adjacent, MPI_DIST_GRAPH_CREATE_ADJACENT,
               (In comm, In indegree, In sources, In sourceweights, In outdegree, In destinations,
                In destweights, In info, In reorder, MPI_Fint* newcomm, MPI_Fint* error)) {
  make("MPI_Dist_graph_create_adjacent", "mpi_dist_graph_create_adjacent_", comm, newcomm, error,
       indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder);
}
