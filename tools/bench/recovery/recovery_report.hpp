// What `detour bench --recovery` found, for people and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/recovery/kill_times.hpp"

namespace detour::tool {

struct RecoveryReport {
  std::string version;
  int rank_count = 0;
  std::uint64_t bytes = 0;
  bool in_place = false;
  std::string policy = {};  // empty: as the library chooses
  std::vector<KillTimes> kills = {};
};

// What the project promises where all survivors are inside the operation, at the median.
inline constexpr double allowed_view_us = 3000;
inline constexpr double allowed_result_over_fault_free = 3;

// One block for the kills while all survivors were inside, one for those while half of them computed.
std::string recovery_text(const RecoveryReport& report);
std::string recovery_json(const RecoveryReport& report);

}  // namespace detour::tool
