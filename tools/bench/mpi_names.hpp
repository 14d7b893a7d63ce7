// The types and operations of `detour bench` as MPI's.
#pragma once

#include <mpi.h>

#include "bench/number_type.hpp"

namespace detour::tool {

MPI_Datatype mpi_type(const NumberType& type);
MPI_Op mpi_op(Operation operation);

}  // namespace detour::tool
