// `detour tune` as a whole: from options to a table.
#pragma once

#include "settings.hpp"
#include "tune/tune_options.hpp"

namespace detour::tool {

// On every rank of a job. Throws the same on all ranks.
void tune_this_job(const TuneOptions& options, const Settings& settings);

// Outside of any: starts a job for each number of ranks, one after the other.
void tune_by_own_jobs(const TuneOptions& options, const std::vector<std::string>& words_for_rank);

}  // namespace detour::tool
