// `detour_compare measure`, on every rank of an MPI job.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detour::tool {

struct MeasuringOptions {
  std::vector<std::uint64_t> sizes_bytes;
  bool in_place = false;
  double budget_s = 1;  // of a size
  std::string output_path;
  bool as_lines = true;  // progress: a line for each size, or one that is overwritten
};

// Collective. Throws the same on all ranks: BadInput or Defect.
void measure(const MeasuringOptions& options);

}  // namespace detour::tool
