// The last line of a job: who died, when and where.
#pragma once

#include <optional>
#include <string>

#include "job.hpp"

namespace detour::run {

// Nothing when all went well, or when no rank was ever started: mpirun has said why.
std::optional<std::string> last_line(const Job& job, int status);

}  // namespace detour::run
