// A whole run of `detour bench`, on every rank of an MPI job.
#pragma once

#include "bench/bench_options.hpp"

namespace detour::tool {

// Collective. Throws the same on all ranks: BadInput, Refused or Defect.
void run_bench(const BenchOptions& options);

}  // namespace detour::tool
