// Tells people and the program who has died, where, and when that was noticed.
//
// A line in the log, at level warn by one of the survivors of the node, by the others at level debug; and a function of
// the program's, in each process. Any thread may call anything here.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/deaths.hpp"
#include "core/peer_heaps.hpp"

namespace detour {

struct DeathNotice {
  int world_rank = 0;
  pid_t pid = 0;
  std::string host;
  std::chrono::system_clock::time_point noticed;
};

class DeathNotices : public DeathObserver {
 public:
  using Listener = std::function<void(const DeathNotice&)>;

  static DeathNotices& instance();

  // Before the detector hears of the process, so that its death finds it here. What it is to be called: "rank 5 (pid
  // 1234 on host x)".
  std::string remember(PeerId process, int world_rank, pid_t pid, const PeerHeap& heap);

  // Told of all deaths from now on, in the detector's thread, and before this returns of past ones. There is one at a
  // time, or none; when this returns the one before is no longer being told of anything. It may not call this.
  void set_listener(Listener listener);

  void on_death(PeerId process) override;

 private:
  struct Known {
    int world_rank = 0;
    pid_t pid = 0;
    PeerHeap heap;
    bool is_dead = false;
  };

  DeathNotices();
  std::string line_for(const Known& dead) const;

  const std::chrono::steady_clock::time_point start_;
  const std::string host_;
  std::mutex mutex_;  // guards what follows; held while the listener runs
  std::map<PeerId, Known> known_;
  std::size_t dead_count_ = 0;
  std::vector<DeathNotice> past_;
  Listener listener_;
};

}  // namespace detour
