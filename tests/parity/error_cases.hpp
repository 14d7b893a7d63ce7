// Wrong calls: all ranks have to get an error of the same class, and the next call has to work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "teams.hpp"

namespace detour::parity {

struct ErrorReport {
  std::size_t case_count = 0;
  std::vector<std::string> complaints;  // the same on all ranks
};

// All cases that can be on so many ranks, each with one rank that does wrong, which the seed chooses.
// Collective over the team.
ErrorReport try_error_cases(const Team& team, std::uint64_t seed);

}  // namespace detour::parity
