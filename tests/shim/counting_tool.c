/* A tool in the manner of MPI's profiling interface: counts the calls of MPI_Allreduce that reach it, and
 * says at the end how many there were. */
#include <mpi.h>
#include <stdio.h>

#define TOOL_API __attribute__((visibility("default")))

static int call_count;

TOOL_API int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm) {
  ++call_count;
  return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

TOOL_API int MPI_Finalize(void) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("tool: %d calls\n", call_count);
  fflush(stdout);
  return PMPI_Finalize();
}
