// The table as a file that the library reads.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alternation/machine.hpp"
#include "tune/job_times.hpp"

namespace detour::tool {

// Lines of a selection table, each with a comment on what it gains, below comments on what was measured where. Jobs
// come by rising numbers of ranks.
std::string table_text(std::span<const JobTimes> jobs, const std::vector<Fact>& machine,
                       const std::string& version);

}  // namespace detour::tool
