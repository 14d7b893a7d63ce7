// The peers of a process with their locks and process handles: asks the kernel and shared memory, and
// lets PeerRing and ProgressWatch decide. Not for several threads at once.
#pragma once

#include <sys/types.h>

#include <chrono>
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
  PeerBook(PeerId own, const HangLimits& limits) : ring_(own), progress_watch_(limits) {}

  // False if it is known already, or is oneself.
  bool add(DetectorPeer peer);

  // Looks at all, and tells all others of deaths that this process is the one to tell of.
  void look(Findings& findings);
  // Suspects and fences who hangs. To be called regularly: see ProgressWatch.
  void look_for_hangs(Findings& findings);
  Outcome<bool> fence(PeerId peer, std::string_view reason, Findings& findings);

  PeerState state(PeerId peer) const;
  bool can_be_confirmed(PeerId peer) const;
  std::vector<PeerId> dead_peers() const;

  // The watched peer's word as it was at the last look; none if all are gone.
  std::optional<SeenWord> watched_word() const;
  // Whether some are dead whose threads will be seen to end.
  bool awaits_confirmation() const;

 private:
  struct Entry {
    DetectorPeer peer;
    ProcessHandle process;
    LifeLock::Glance glance = 0;  // at the last look
    bool is_killed = false;       // by this process: no sign of life makes up for that
  };

  void look_at(Entry& entry, bool is_watched, Findings& findings);
  void record_change(PeerId peer, Findings& findings);
  void tell_all() const;

  PeerRing ring_;
  std::map<PeerId, Entry> entries_;
  ProgressWatch progress_watch_;
};

}  // namespace detour
