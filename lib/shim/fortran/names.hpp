// One function under all the names that Fortran compilers give to a procedure of MPI's, as Open MPI
// exports them, and under that of the mpi_f08 module.
//
// All pass addresses: of numbers, of handles (an INTEGER, in mpi_f08 a structure of one INTEGER), of buffers.
// The last argument is where the error goes; it may be absent, that is null, in mpi_f08.
//
//   DETOUR_FORTRAN(mpi_barrier, MPI_BARRIER, (const MPI_Fint* comm, MPI_Fint* error)) { ... }
#pragma once

#include <mpi.h>

#define DETOUR_FORTRAN_EXPORT __attribute__((visibility("default")))
#define DETOUR_FORTRAN_ALIAS(name, target, parameters) \
  extern "C" DETOUR_FORTRAN_EXPORT void name parameters __attribute__((alias(target)));

#define DETOUR_FORTRAN(lower, upper, parameters)             \
  DETOUR_FORTRAN_ALIAS(lower##_f08_, #lower "_", parameters) \
  DETOUR_FORTRAN_BUT_F08(lower, upper, parameters)

// Where mpi_f08 differs from the others.
#define DETOUR_FORTRAN_BUT_F08(lower, upper, parameters)  \
  DETOUR_FORTRAN_ALIAS(lower, #lower "_", parameters)     \
  DETOUR_FORTRAN_ALIAS(lower##__, #lower "_", parameters) \
  DETOUR_FORTRAN_ALIAS(upper, #lower "_", parameters)     \
  extern "C" DETOUR_FORTRAN_EXPORT void lower##_ parameters
#define DETOUR_FORTRAN_F08(lower, parameters) \
  extern "C" DETOUR_FORTRAN_EXPORT void lower##_f08_ parameters
