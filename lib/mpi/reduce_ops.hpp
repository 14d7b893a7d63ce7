// MPI's operations: which of the predefined ones a handle is, or a combiner that runs the user's.
#pragma once

#include <mpi.h>

#include <optional>

#include "collectives/reduce_op.hpp"
#include "detour/routing/api.hpp"

namespace detour {

// None for a user's operation, and for what collective operations don't take: MPI_OP_NULL,
// MPI_REPLACE, MPI_NO_OP.
DETOUR_API std::optional<ReduceOp> reduce_op_of(MPI_Op op) noexcept;

DETOUR_API bool is_user_defined(MPI_Op op) noexcept;

// Whether the ranks' contributions may be taken in any order.
DETOUR_API bool is_commutative(MPI_Op op);

}  // namespace detour
