// From measured times to lines of a selection table: a pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "selection/selection_table.hpp"
#include "tune/job_times.hpp"

namespace detour::tool {

struct TunedLine {
  SelectionLine line;
  bool is_built_in = false;         // says what the built-in table says, wherever it was measured
  std::optional<double> gain = {};  // the built-in table's times over its own, on average
};

// The fewest lines that say what was chosen for each job, which come by rising numbers of ranks. From the smallest that
// was measured on, of ranks as of bytes: of what is below nothing is known.
std::vector<TunedLine> tuned_lines(std::span<const JobTimes> jobs);

// Where, between two sizes that were measured, the choice of the larger one begins to hold: at their geometric middle,
// rounded to a KiB; at the larger one if they are too near to each other for that.
std::uint64_t boundary_bytes(std::uint64_t below, std::uint64_t above);
// The same for numbers of ranks, rounded up.
int boundary_rank_count(int below, int above);

}  // namespace detour::tool
