// The peers of a process with their locks and process handles: asks the kernel and shared memory, and
// lets PeerRing and ProgressWatch decide. Not for several threads at once.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "failure/life_record.hpp"
#include "failure/peer_ring.hpp"
#include "failure/process_handle.hpp"
#include "failure/progress_watch.hpp"
#include "failure/word_sleep.hpp"
#include "shm/counter.hpp"

namespace detour {

struct DetectorPeer {
  PeerId id = 0;
  pid_t pid = 0;  // 0: of another PID namespace. It can then be neither confirmed nor fenced
  LifeRecord* record = nullptr;
  Counter* doorbell = nullptr;           // rung when a death was found; may be none
  std::shared_ptr<const void> memory{};  // keeps what the pointers lead to
  std::string name{};                    // for people
};

struct PeerChange {
  PeerId id = 0;
  PeerState state = PeerState::alive;
  std::chrono::steady_clock::time_point noticed{};
};

// What looking around has brought to light.
struct Findings {
  std::vector<PeerChange> changes;  // dead always comes before confirmed
  std::vector<std::string> notes;   // for the log
};

class PeerBook {
 public:
  // Without a limit nobody is ever taken to hang.
  PeerBook(PeerId own, std::optional<std::chrono::nanoseconds> hang_limit) : ring_(own) {
    if (hang_limit) progress_watch_.emplace(*hang_limit);
  }

  // False if it is known already, or is oneself.
  bool add(DetectorPeer peer);

  // Looks at all, and tells all others of deaths that this process is the one to tell of.
  void look(Findings& findings);
  // Suspects and fences who hangs, of those that this process waits for. To be called regularly: see ProgressWatch.
  void look_for_hangs(const std::function<bool(PeerId)>& waits_for, Findings& findings);
  // Ends a peer with SIGKILL. One that can't be killed is marked dead all the same, which shuts it out. The value is
  // false if it was gone already, or had been ended.
  Outcome<bool> fence(PeerId peer, std::string_view reason, Findings& findings);

  PeerState state(PeerId peer) const;
  bool can_be_confirmed(PeerId peer) const;
  std::vector<PeerId> dead_peers() const;

  // The watched peer's word as it was at the last look; none if all are gone.
  std::optional<SeenWord> word_to_sleep_on();
  // Whether some are dead whose threads will be seen to end.
  bool awaits_confirmation() const;

 private:
  struct Entry {
    DetectorPeer peer;
    ProcessHandle process;
    LifeLock::Glance glance = 0;  // at the last look
    bool is_fenced = false;       // by this process: no sign of life makes up for that
  };

  void look_at(Entry& entry, Findings& findings);
  void record_change(PeerId peer, Findings& findings);
  void tell_all() const;

  PeerRing ring_;
  std::map<PeerId, Entry> entries_;
  std::optional<ProgressWatch> progress_watch_;
};

}  // namespace detour
