// One rank killed in a running job, and when the others got over it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace detour::tool {

// When the first of the survivors was so far, and the last. Nanoseconds of CLOCK_MONOTONIC.
struct FirstAndLast {
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
};

struct KillTimes {
  int rank_count = 0;  // before it
  int victim = 0;
  bool half_computes = false;   // half of the survivors came to the operation only later
  bool broke_attempt = false;   // otherwise the operation began without the victim
  double fault_free_us = 0;     // the median operation before, of its slowest rank
  std::int64_t kill_ns = 0;     // just before the signal was sent
  std::int64_t entered_ns = 0;  // the last survivor was inside the operation
  FirstAndLast noticed = {};
  FirstAndLast agreed = {};
  FirstAndLast begun = {};
  FirstAndLast completed = {};
};

// As one line of JSON, and back; nothing for a line that is something else.
std::string to_line(const KillTimes& times);
std::optional<KillTimes> kill_times_from(std::string_view line);

// What a kill cost, in microseconds, from one step to the next. An operation that half of the survivors
// come to later can't go on before, so its clock starts when the last of them is inside.
struct RecoveryCost {
  double detection_us = 0;   // from the kill until the first survivor knows
  double agreement_us = 0;   // until all know who goes on
  double replanning_us = 0;  // until all have begun again
  double redo_us = 0;        // until all have the result
  // From the start until it is decided who goes on, which is when the first survivor knows; until all do.
  double view_us = 0;
  double view_known_us = 0;
  double first_result_us = 0;  // until the first has the result
  double result_us = 0;        // until all have the result
  double over_fault_free = 0;
};
RecoveryCost cost_of(const KillTimes& times);

}  // namespace detour::tool
