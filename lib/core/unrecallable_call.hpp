// A call of MPI's that waits for all members of a communicator, and that nothing can end when one of them dies in it.
//
// While such a call lasts, the deaths of its members are watched. Some seconds after the first of them the job is ended, in
// words: by the launcher if there is one, otherwise each rank ends itself. Where the library does not notice the deaths of
// all ranks, because they are on several nodes or it has not met them yet, the launcher watches.
#pragma once

#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/deaths.hpp"
#include "detour/routing/api.hpp"
#include "launcher_channel.hpp"

namespace detour {

// The launcher's part alone, for waits that end by themselves when the library notices a death.
class LauncherWatch {
 public:
  LauncherWatch(const char* function, MPI_Comm comm);
  LauncherWatch(const char* function, const std::vector<int>& world_ranks);

 private:
  std::optional<AnnouncedWait> wait_;
};

class DETOUR_API UnrecallableCall final : public DeathObserver {
 public:
  // `members` are ranks of the communicator, of both groups if it has two.
  UnrecallableCall(const char* function, MPI_Comm comm);
  UnrecallableCall(const char* function, MPI_Comm comm, const std::vector<int>& members);
  ~UnrecallableCall() override;
  UnrecallableCall(const UnrecallableCall&) = delete;
  UnrecallableCall& operator=(const UnrecallableCall&) = delete;

  void on_death(PeerId process) override;

 private:
  void watch();

  const std::string function_;
  const std::vector<int> world_ranks_;
  const LauncherWatch launcher_watch_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;  // from the first death on
};

}  // namespace detour
