// Says at the start of a job what a rank's death is going to mean for it, where that is not that the others go on:
// in words for people, and to detourrun, which then ends the job instead of leaving the others waiting.
#pragma once

#include <string_view>

#include "detour/routing/api.hpp"
#include "settings.hpp"

namespace detour {

// As mpirun tells its processes; where something else started them the job counts as one of a single node.
DETOUR_API bool job_spans_nodes();

// While MPI runs, once per process.
void tell_what_deaths_mean(const Settings& settings);

// Deaths can't be survived for this reason: "its ranks don't share memory". One of the ranks that find this `speaks`.
// The first reason counts.
void tell_that_deaths_end_the_job(const Settings& settings, std::string_view reason, bool speaks);

}  // namespace detour
