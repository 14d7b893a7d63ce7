// MPI's collective operations for Fortran.
#include <mpi.h>

#include "detour/detour.h"
#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"

using namespace detour::shim;

DETOUR_FORTRAN(mpi_allreduce, MPI_ALLREDUCE,
               (const void* sendbuf, void* recvbuf, const MPI_Fint* count, const MPI_Fint* type,
                const MPI_Fint* op, const MPI_Fint* comm, MPI_Fint* error)) {
  store_error(error, Detour_Allreduce(buffer_of(sendbuf), buffer_of(recvbuf), *count, type_of(type),
                                      op_of(op), comm_of(comm)));
}

DETOUR_FORTRAN(mpi_iallreduce, MPI_IALLREDUCE,
               (const void* sendbuf, void* recvbuf, const MPI_Fint* count, const MPI_Fint* type,
                const MPI_Fint* op, const MPI_Fint* comm, MPI_Fint* request, MPI_Fint* error)) {
  MPI_Request made = MPI_REQUEST_NULL;
  const int result = Detour_Iallreduce(buffer_of(sendbuf), buffer_of(recvbuf), *count,
                                       type_of(type), op_of(op), comm_of(comm), &made);
  if (result == MPI_SUCCESS) *request = PMPI_Request_c2f(made);
  store_error(error, result);
}

DETOUR_FORTRAN(mpi_reduce, MPI_REDUCE,
               (const void* sendbuf, void* recvbuf, const MPI_Fint* count, const MPI_Fint* type,
                const MPI_Fint* op, const MPI_Fint* root, const MPI_Fint* comm, MPI_Fint* error)) {
  store_error(error, Detour_Reduce(buffer_of(sendbuf), buffer_of(recvbuf), *count, type_of(type),
                                   op_of(op), *root, comm_of(comm)));
}

DETOUR_FORTRAN(mpi_bcast, MPI_BCAST,
               (void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* root,
                const MPI_Fint* comm, MPI_Fint* error)) {
  store_error(error, Detour_Bcast(buffer_of(buffer), *count, type_of(type), *root, comm_of(comm)));
}

DETOUR_FORTRAN(mpi_allgather, MPI_ALLGATHER,
               (const void* sendbuf, const MPI_Fint* sendcount, const MPI_Fint* sendtype,
                void* recvbuf, const MPI_Fint* recvcount, const MPI_Fint* recvtype,
                const MPI_Fint* comm, MPI_Fint* error)) {
  store_error(
      error, Detour_Allgather(buffer_of(sendbuf), *sendcount, type_of(sendtype), buffer_of(recvbuf),
                              *recvcount, type_of(recvtype), comm_of(comm)));
}

DETOUR_FORTRAN(mpi_allgatherv, MPI_ALLGATHERV,
               (const void* sendbuf, const MPI_Fint* sendcount, const MPI_Fint* sendtype,
                void* recvbuf, const MPI_Fint* recvcounts, const MPI_Fint* displs,
                const MPI_Fint* recvtype, const MPI_Fint* comm, MPI_Fint* error)) {
  store_error(error, Detour_Allgatherv(buffer_of(sendbuf), *sendcount, type_of(sendtype),
                                       buffer_of(recvbuf), recvcounts, displs, type_of(recvtype),
                                       comm_of(comm)));
}

DETOUR_FORTRAN(mpi_reduce_scatter, MPI_REDUCE_SCATTER,
               (const void* sendbuf, void* recvbuf, const MPI_Fint* recvcounts,
                const MPI_Fint* type, const MPI_Fint* op, const MPI_Fint* comm, MPI_Fint* error)) {
  store_error(error, Detour_Reduce_scatter(buffer_of(sendbuf), buffer_of(recvbuf), recvcounts,
                                           type_of(type), op_of(op), comm_of(comm)));
}

DETOUR_FORTRAN(mpi_reduce_scatter_block, MPI_REDUCE_SCATTER_BLOCK,
               (const void* sendbuf, void* recvbuf, const MPI_Fint* recvcount, const MPI_Fint* type,
                const MPI_Fint* op, const MPI_Fint* comm, MPI_Fint* error)) {
  store_error(error, Detour_Reduce_scatter_block(buffer_of(sendbuf), buffer_of(recvbuf), *recvcount,
                                                 type_of(type), op_of(op), comm_of(comm)));
}

DETOUR_FORTRAN(mpi_barrier, MPI_BARRIER, (const MPI_Fint* comm, MPI_Fint* error)) {
  store_error(error, Detour_Barrier(comm_of(comm)));
}
