/* The smallest program that uses Detour's C interface: MPI's, with another prefix.
 *
 *   mpicc sum.c $(pkg-config --cflags --libs detour) -o sum && mpirun -n 4 ./sum
 */
#include <detour/detour.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank = 0;
  int rank_count = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);

  const double value = rank + 1;
  double sum = 0;
  Detour_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

  Detour_Result result;
  Detour_Last_result(MPI_COMM_WORLD, &result);
  if (rank == 0) {
    printf("%d ranks: the sum is %g, with the data of %d of them\n", rank_count, sum,
           result.contributor_count);
  }
  MPI_Finalize();
  return 0;
}
