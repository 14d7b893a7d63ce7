/* Sums with the installed library, as a program of one rank. */
#include <detour/detour.h>
#include <stdio.h>

int main(int argc, char** argv) {
  double sum = 0;
  const double one = 1;
  MPI_Init(&argc, &argv);
  if (Detour_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS) return 1;
  printf("Detour %s: %g\n", Detour_Version(), sum);
  MPI_Finalize();
  return sum == 1 ? 0 : 1;
}
