// A call of MPI's that waits for all members of a communicator, and that nothing can end when one of them dies in it.
//
// While it lasts its members are watched: by the library (core/call_watch.hpp), and where that does not notice the
// deaths of all ranks, because they are on several nodes or it has not met them yet, by the launcher. Either ends
// the job, in words, some seconds after a death.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "core/call_watch.hpp"
#include "detour/routing/api.hpp"
#include "launcher_channel.hpp"

namespace detour {

// The launcher's part alone, for waits that end by themselves when the library notices a death.
class DETOUR_API LauncherWatch {
 public:
  LauncherWatch(const char* function, MPI_Comm comm);
  LauncherWatch(const char* function, const std::vector<int>& world_ranks);

 private:
  std::optional<AnnouncedWait> wait_;
};

class DETOUR_API UnrecallableCall {
 public:
  // Of all members, of both groups if there are two; or of those with these ranks.
  UnrecallableCall(const char* function, MPI_Comm comm);
  UnrecallableCall(const char* function, MPI_Comm comm, const std::vector<int>& members);

 private:
  UnrecallableCall(const char* function, std::vector<int> world_ranks);

  const WorldRanks world_ranks_;
  const LauncherWatch launcher_watch_;
  const CallWatch watch_;
};

}  // namespace detour
