// New communicators, for Fortran.
#include "shim/communicators.hpp"

#include <mpi.h>

#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"

using namespace detour::shim;

namespace {

void store(const MPI_Comm& made, int result, MPI_Fint* comm, MPI_Fint* error) {
  if (result == MPI_SUCCESS) *comm = PMPI_Comm_c2f(made);
  store_error(error, result);
}

}  // namespace

DETOUR_FORTRAN(mpi_comm_dup, MPI_COMM_DUP,
               (const MPI_Fint* comm, MPI_Fint* newcomm, MPI_Fint* error)) {
  MPI_Comm made = MPI_COMM_NULL;
  const int result = comm_dup(comm_of(comm), &made);
  store(made, result, newcomm, error);
}

DETOUR_FORTRAN(mpi_comm_dup_with_info, MPI_COMM_DUP_WITH_INFO,
               (const MPI_Fint* comm, const MPI_Fint* info, MPI_Fint* newcomm, MPI_Fint* error)) {
  MPI_Comm made = MPI_COMM_NULL;
  const int result = comm_dup_with_info(comm_of(comm), PMPI_Info_f2c(*info), &made);
  store(made, result, newcomm, error);
}

DETOUR_FORTRAN(mpi_comm_split, MPI_COMM_SPLIT,
               (const MPI_Fint* comm, const MPI_Fint* color, const MPI_Fint* key, MPI_Fint* newcomm,
                MPI_Fint* error)) {
  MPI_Comm made = MPI_COMM_NULL;
  const int result = comm_split(comm_of(comm), *color, *key, &made);
  store(made, result, newcomm, error);
}

DETOUR_FORTRAN(mpi_comm_split_type, MPI_COMM_SPLIT_TYPE,
               (const MPI_Fint* comm, const MPI_Fint* type, const MPI_Fint* key,
                const MPI_Fint* info, MPI_Fint* newcomm, MPI_Fint* error)) {
  MPI_Comm made = MPI_COMM_NULL;
  const int result = comm_split_type(comm_of(comm), *type, *key, PMPI_Info_f2c(*info), &made);
  store(made, result, newcomm, error);
}

DETOUR_FORTRAN(mpi_comm_create, MPI_COMM_CREATE,
               (const MPI_Fint* comm, const MPI_Fint* group, MPI_Fint* newcomm, MPI_Fint* error)) {
  MPI_Comm made = MPI_COMM_NULL;
  const int result = comm_create(comm_of(comm), PMPI_Group_f2c(*group), &made);
  store(made, result, newcomm, error);
}

DETOUR_FORTRAN(mpi_comm_create_group, MPI_COMM_CREATE_GROUP,
               (const MPI_Fint* comm, const MPI_Fint* group, const MPI_Fint* tag, MPI_Fint* newcomm,
                MPI_Fint* error)) {
  MPI_Comm made = MPI_COMM_NULL;
  const int result = comm_create_group(comm_of(comm), PMPI_Group_f2c(*group), *tag, &made);
  store(made, result, newcomm, error);
}

DETOUR_FORTRAN(mpi_comm_idup, MPI_COMM_IDUP,
               (const MPI_Fint* comm, MPI_Fint* newcomm, MPI_Fint* request, MPI_Fint* error)) {
  // MPI fills in the handle at once; only the communicator is not fit for use before the request is done.
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request begun = MPI_REQUEST_NULL;
  const int result = comm_idup(comm_of(comm), &made, &begun);
  if (result == MPI_SUCCESS) *request = PMPI_Request_c2f(begun);
  store(made, result, newcomm, error);
}
