// For each collective operation: which of its arguments are buffers, and what in them is read and written.
//
// All take the arguments of MPI's function and put staged buffers in the place of the program's. Arguments
// that mean nothing on this rank are not looked at; what makes no sense is refused, and so left to MPI.
#pragma once

#include <mpi.h>

#include "shim/staging.hpp"

namespace detour::shim::stage {

void barrier(Staging& staging, MPI_Comm comm);
void bcast(Staging& staging, void*& buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);

void gather(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
            void*& recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
void gatherv(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
             void*& recvbuf, const int* recvcounts, const int* displs, MPI_Datatype recvtype,
             int root, MPI_Comm comm);
void scatter(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
             void*& recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
void scatterv(Staging& staging, const void*& sendbuf, const int* sendcounts, const int* displs,
              MPI_Datatype sendtype, void*& recvbuf, int recvcount, MPI_Datatype recvtype, int root,
              MPI_Comm comm);
void allgather(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
               void*& recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
void allgatherv(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
                void*& recvbuf, const int* recvcounts, const int* displs, MPI_Datatype recvtype,
                MPI_Comm comm);
void alltoall(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
              void*& recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
void alltoallv(Staging& staging, const void*& sendbuf, const int* sendcounts, const int* sdispls,
               MPI_Datatype sendtype, void*& recvbuf, const int* recvcounts, const int* rdispls,
               MPI_Datatype recvtype, MPI_Comm comm);
void alltoallw(Staging& staging, const void*& sendbuf, const int* sendcounts, const int* sdispls,
               const MPI_Datatype* sendtypes, void*& recvbuf, const int* recvcounts,
               const int* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm);

void allreduce(Staging& staging, const void*& sendbuf, void*& recvbuf, int count, MPI_Datatype type,
               MPI_Op op, MPI_Comm comm);
void reduce(Staging& staging, const void*& sendbuf, void*& recvbuf, int count, MPI_Datatype type,
            MPI_Op op, int root, MPI_Comm comm);
void reduce_scatter(Staging& staging, const void*& sendbuf, void*& recvbuf, const int* recvcounts,
                    MPI_Datatype type, MPI_Op op, MPI_Comm comm);
void reduce_scatter_block(Staging& staging, const void*& sendbuf, void*& recvbuf, int recvcount,
                          MPI_Datatype type, MPI_Op op, MPI_Comm comm);
void scan(Staging& staging, const void*& sendbuf, void*& recvbuf, int count, MPI_Datatype type,
          MPI_Op op, MPI_Comm comm);
// The first rank's result stays as it is.
void exscan(Staging& staging, const void*& sendbuf, void*& recvbuf, int count, MPI_Datatype type,
            MPI_Op op, MPI_Comm comm);

// Blocks of neighbours that are not there stay as they are.
void neighbor_allgather(Staging& staging, const void*& sendbuf, int sendcount,
                        MPI_Datatype sendtype, void*& recvbuf, int recvcount, MPI_Datatype recvtype,
                        MPI_Comm comm);
void neighbor_allgatherv(Staging& staging, const void*& sendbuf, int sendcount,
                         MPI_Datatype sendtype, void*& recvbuf, const int* recvcounts,
                         const int* displs, MPI_Datatype recvtype, MPI_Comm comm);
void neighbor_alltoall(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
                       void*& recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
void neighbor_alltoallv(Staging& staging, const void*& sendbuf, const int* sendcounts,
                        const int* sdispls, MPI_Datatype sendtype, void*& recvbuf,
                        const int* recvcounts, const int* rdispls, MPI_Datatype recvtype,
                        MPI_Comm comm);
void neighbor_alltoallw(Staging& staging, const void*& sendbuf, const int* sendcounts,
                        const MPI_Aint* sdispls, const MPI_Datatype* sendtypes, void*& recvbuf,
                        const int* recvcounts, const MPI_Aint* rdispls,
                        const MPI_Datatype* recvtypes, MPI_Comm comm);

}  // namespace detour::shim::stage
