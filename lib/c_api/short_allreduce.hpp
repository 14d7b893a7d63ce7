// The short way of an allreduce: see operations/short_sums.hpp.
#pragma once

#include <mpi.h>

#include <optional>

#include "c_api/plain_allreduce.hpp"

namespace detour {

// Nothing if it has to be done at length: because this is the first one of its size, say, or arguments are wrong. Otherwise
// it is done, and an error has been reported.
[[gnu::hot]] std::optional<int> allreduce_shortly(const AllreduceArguments& arguments,
                                                  MPI_Comm comm);

}  // namespace detour
