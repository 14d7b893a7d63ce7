// Reductions by one of the library's own operations over elements that lie side by side: nearly all that there are.
//
// Neither MPI's own operations nor its named datatypes ever change or go, so what was found out about a pair of them
// holds: it is kept, since finding it out takes longer than a short message takes to arrive.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "collectives/call.hpp"
#include "collectives/kernel_combiner.hpp"
#include "detour/routing/api.hpp"

namespace detour {

struct PlainReduction {
  CombiningKernels kernels;
  std::uint32_t operation = 0;  // both as in a call's header
  std::uint32_t element = 0;
};

// Null if it is none, or not allowed. Until the next call in the same thread.
[[gnu::hot]] DETOUR_API const PlainReduction* find_plain_reduction(MPI_Datatype type, MPI_Op op);

}  // namespace detour
