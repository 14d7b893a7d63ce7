// What a rank of the job that is measured does.
#pragma once

#include <functional>

#include "settings.hpp"
#include "tune/job_times.hpp"
#include "tune/tune_options.hpp"

namespace detour::tool {

// Collective. Tells rank 0 of each size and place as soon as it was measured. Throws the same on all ranks: BadInput,
// Refused or Defect.
void measure_ways(const TuneOptions& options, const Settings& settings,
                  const std::function<void(const PlaceTimes&)>& tell);

}  // namespace detour::tool
