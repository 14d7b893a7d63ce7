// MPI's collective operations that libdetour has none for, and the nonblocking forms of those it has.
#include <mpi.h>

#include "shim/export.hpp"
#include "shim/guarded_forms.hpp"
#include "shim/signatures.hpp"

using detour::shim::Guarded;
namespace collective = detour::shim::collective;

#define DETOUR_BLOCKING(name, lower, upper, count)                             \
  DETOUR_REPLACES_MPI int MPI_##name(DETOUR_PARAMETERS_##count(PMPI_##name)) { \
    return Guarded<collective::name>::run(DETOUR_ARGUMENTS_##count);           \
  }
#define DETOUR_NONBLOCKING(name, lower, upper, count)                           \
  DETOUR_REPLACES_MPI int MPI_I##lower(DETOUR_PARAMETERS_##count(PMPI_##name),  \
                                       MPI_Request* request) {                  \
    return Guarded<collective::name>::begin(DETOUR_ARGUMENTS_##count, request); \
  }

DETOUR_OTHER_COLLECTIVES(DETOUR_BLOCKING)
DETOUR_OTHER_COLLECTIVES_OF_TYPES(DETOUR_BLOCKING)

DETOUR_OTHER_COLLECTIVES(DETOUR_NONBLOCKING)
DETOUR_OTHER_COLLECTIVES_OF_TYPES(DETOUR_NONBLOCKING)
DETOUR_OWN_COLLECTIVES(DETOUR_NONBLOCKING)
