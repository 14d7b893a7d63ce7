// Memory that the program asks MPI for.
#pragma once

#include <mpi.h>

namespace detour::shim {

int alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr);
int free_mem(void* base);

}  // namespace detour::shim
