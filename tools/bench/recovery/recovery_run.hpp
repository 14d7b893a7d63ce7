// `detour bench --recovery` and `--survivors`: alone the program starts jobs and puts together what they say; in a
// job, under detourrun, it is one of the ranks.
#pragma once

#include <string>
#include <vector>

#include "bench/recovery/recovery_options.hpp"

namespace detour::tool {

// Both throw BadInput, Refused or Defect; on ranks of a job the same on all, or something else on one, which ends it.
void run_recovery(const RecoveryOptions& options, bool is_in_job);

// `words` are the command line, for ranks.
void run_survivors(const SurvivorsOptions& options, bool is_in_job,
                   const std::vector<std::string>& words);

}  // namespace detour::tool
