// Which way to take at which size: a pure function of what was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bench/ratio.hpp"
#include "tune/job_times.hpp"

namespace detour::tool {

struct Choice {
  std::uint64_t bytes = 0;
  Way way;
  bool is_built_in = false;
  std::optional<Ratio> gain = {};  // the built-in way's time over this one's, if that was measured
};

// For each size at which anything was measured, in their order.
//
// Ways are compared by the geometric mean of their medians out of place and in place, each with the stores that suit it
// best. So that noise does not make the table go to and fro, the way of the next smaller size is kept, or the built-in
// table followed as long as it was until then, unless the fastest way is so even by the lower bound of its gain, by 2 %.
// Then the built-in way is next in line, and only if that one is shown to be slower too, the fastest one is taken. The
// built-in way also takes over, without proof, from one that was measured to be slower than it by more than 2 %.
std::vector<Choice> choose(const JobTimes& job);

}  // namespace detour::tool
