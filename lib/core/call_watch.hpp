// Ends the job, in words, when a rank dies while others are in a call of MPI's that can't be recalled.
//
// Some calls wait inside MPI for a rank that has died, and nothing brings them back: one-sided epochs, files,
// processes that are started. The job can't go on then, and must not hang either. A watch is armed for as
// long as such a call lasts; after the first death of the job a thread looks at the armed ones twice a second,
// and one that has waited for a dead member for some seconds ends the job through the launcher.
//
//   const CallWatch watch("MPI_Win_fence", members);
//   return PMPI_Win_fence(...);
//
// Arming takes a lock for a moment. There is no thread before the first death.
#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "detour/routing/api.hpp"

namespace detour {

// Ranks in MPI_COMM_WORLD of those whom a call waits for.
using WorldRanks = std::shared_ptr<const std::vector<int>>;

struct WatchedCall {
  const char* function = nullptr;
  WorldRanks members;
  std::optional<std::chrono::steady_clock::time_point> hopeless_since{};
};

class DETOUR_API CallWatch {
 public:
  CallWatch(const char* function, WorldRanks members);
  ~CallWatch();
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

 private:
  std::list<WatchedCall>::iterator entry_;
};

// How long a call may go on that waits for the dead: others may be needed to notice, or to finish.
inline constexpr std::chrono::seconds hopeless_call_patience{5};

// The end of the job because of a call that can't end. Returns if the launcher brings it about; without a
// launcher this process ends here.
DETOUR_API void end_job_in_call(const char* function, const std::vector<int>& dead_members);

// Those of `members` that have died; calls nothing of MPI's.
DETOUR_API std::vector<int> dead_among(const std::vector<int>& members);

}  // namespace detour
