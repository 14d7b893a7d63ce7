// MPI_ALLOC_MEM and MPI_FREE_MEM, for Fortran.
#include "shim/memory.hpp"

#include <mpi.h>

#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"

using namespace detour::shim;

// The address goes into an INTEGER of its kind or, under the second name, into a C_PTR: both look the same in memory.
DETOUR_FORTRAN(mpi_alloc_mem, MPI_ALLOC_MEM,
               (const MPI_Aint* size, const MPI_Fint* info, void* baseptr, MPI_Fint* error)) {
  store_error(error, alloc_mem(*size, PMPI_Info_f2c(*info), baseptr));
}

DETOUR_FORTRAN_BUT_F08(mpi_alloc_mem_cptr, MPI_ALLOC_MEM_CPTR,
                       (const MPI_Aint* size, const MPI_Fint* info, void* baseptr,
                        MPI_Fint* error)) {
  mpi_alloc_mem_(size, info, baseptr, error);
}

// Whose address is passed is the memory itself, not a pointer to it.
DETOUR_FORTRAN(mpi_free_mem, MPI_FREE_MEM, (void* base, MPI_Fint* error)) {
  store_error(error, free_mem(base));
}
