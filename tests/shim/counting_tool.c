/* A tool in the manner of MPI's profiling interface: counts the calls of MPI_Allreduce and
 * MPI_Iallreduce that reach it, and says at the end how many there were, and which thread level MPI really
 * has. */
#include <mpi.h>
#include <stdio.h>

#define TOOL_API __attribute__((visibility("default")))

static int call_count;

TOOL_API int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm) {
  ++call_count;
  return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

TOOL_API int MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  ++call_count;
  return PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request);
}

TOOL_API int MPI_Finalize(void) {
  int rank = 0;
  int level = -1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Query_thread(&level);
  if (rank == 0) printf("tool: %d calls, level %d\n", call_count, level);
  fflush(stdout);
  return PMPI_Finalize();
}
