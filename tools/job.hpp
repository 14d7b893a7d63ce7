// The job that this process is a rank of, if it was started by mpirun.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "placement/placement.hpp"

namespace detour::tool {

// What a rank tells rank 0, as bytes.
struct RankReport {
  RankLocation location;
  std::int32_t core_count = 0;          // that the rank may run on
  std::int32_t machine_core_count = 0;  // of its host
  std::array<char, 64> host_name{};     // cut where it is longer
};

// Whether mpirun started this process.
bool is_in_job();

// Starts MPI, gathers the reports of all ranks, and ends MPI. On rank 0 the reports in the order of
// ranks, on the others nothing: they have nothing more to do.
std::vector<RankReport> gather_reports();

}  // namespace detour::tool
