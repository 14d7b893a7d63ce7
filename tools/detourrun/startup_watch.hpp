// Notices an mpirun that will never start a rank. Open MPI 4.1 with recovery says nothing and waits
// for ever when there is no program of that name.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>

namespace detour::run {

// What mpirun does, seen from outside.
struct Activity {
  bool has_children = false;  // ranks, or the programs that start daemons on other nodes
  bool is_asleep = false;
  long cpu_ticks = 0;
};

Activity activity_of(pid_t process);

// Does no I/O: times are passed in.
class StartupWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds interval{1};
  // Longer than the answer of a name server may take.
  static constexpr std::chrono::seconds patience{6};

  // True when it had no children and did nothing for all that time.
  bool is_stuck(const Activity& activity, Time now);

 private:
  std::optional<Time> quiet_since_;
  long cpu_ticks_ = 0;
};

}  // namespace detour::run
