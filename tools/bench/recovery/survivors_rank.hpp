// What each rank of a job does for `detour bench --survivors`: some die, and the others measure allreduce on the
// communicator that has lost them beside one that was made without them.
#pragma once

#include "bench/recovery/losing_job.hpp"
#include "bench/recovery/recovery_options.hpp"

namespace detour::tool {

// Collective. On those who die it does not return. Throws as run_bench does.
void measure_survivors(const SurvivorsOptions& options, LosingJob& job);

}  // namespace detour::tool
