// A setting that only one rank has wrong: all ranks learn of it.
#include <cstdlib>

#include "detour/detour.h"
#include "mpi_program.hpp"

int main() {
  const detour::test::MpiProgram program;
  if (program.rank() == program.size() - 1) setenv("DETOUR_CHUNK_BYTES", "many", 1);
  CHECK_THAT_HOLDS(Detour_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS);
  CHECK_THAT_HOLDS(Detour_Prepare(MPI_COMM_WORLD) != MPI_SUCCESS);
  return program.finish();
}
