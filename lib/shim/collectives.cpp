// MPI's collective operations.
#include <mpi.h>

#include "detour/detour.h"
#include "shim/export.hpp"

DETOUR_REPLACES_MPI int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count,
                                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return Detour_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

DETOUR_REPLACES_MPI int MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count,
                                       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                       MPI_Request* request) {
  return Detour_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request);
}

DETOUR_REPLACES_MPI int MPI_Reduce(const void* sendbuf, void* recvbuf, int count,
                                   MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  return Detour_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
}

DETOUR_REPLACES_MPI int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root,
                                  MPI_Comm comm) {
  return Detour_Bcast(buffer, count, datatype, root, comm);
}

DETOUR_REPLACES_MPI int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                      void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                      MPI_Comm comm) {
  return Detour_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

DETOUR_REPLACES_MPI int MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                       void* recvbuf, const int recvcounts[], const int displs[],
                                       MPI_Datatype recvtype, MPI_Comm comm) {
  return Detour_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                           comm);
}

DETOUR_REPLACES_MPI int MPI_Reduce_scatter(const void* sendbuf, void* recvbuf,
                                           const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                                           MPI_Comm comm) {
  return Detour_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
}

DETOUR_REPLACES_MPI int MPI_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return Detour_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
}

DETOUR_REPLACES_MPI int MPI_Barrier(MPI_Comm comm) {
  return Detour_Barrier(comm);
}
