// MPI_Init, MPI_Finalize and what goes with them, for C and for Fortran.
#pragma once

namespace detour::shim {

int init(int* argc, char*** argv);
int init_thread(int* argc, char*** argv, int required, int* provided);
int query_thread(int* provided);
int finalize();

}  // namespace detour::shim
