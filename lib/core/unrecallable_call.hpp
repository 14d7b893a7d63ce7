// A call of MPI's that waits for all members of a communicator, and that nothing can end when one of them dies in it.
//
// While such a call lasts, the deaths of its members are watched. Some seconds after the first of them the job is ended, in
// words: by the launcher if there is one, otherwise each rank ends itself.
#pragma once

#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/deaths.hpp"
#include "detour/routing/api.hpp"

namespace detour {

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
  std::vector<int> world_ranks_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;  // from the first death on
};

}  // namespace detour
