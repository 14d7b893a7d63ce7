// Finds out which processes of this node die, and ends those that hang. One per process.
//
// Its thread holds the process's own life lock and sleeps on that of its successor (peer_ring.hpp has the
// argument why that finds every death). Whoever finds a death rings the doorbells of all peers and tells
// their threads, and they read in the locks who it was. A death by SIGKILL is found after some 0.1 ms.
//
// The sleep is cut into slices. Their ends are needed only for what the ring can't promise (processes that
// know different peers, a watcher that is stopped), for a lock that failed to tell (the process
// handle does), and to look for hangs; and, on kernels that can't sleep on several words, for everything
// but the successor's death: news from others (unless whoever hears the doorbell calls look()), peers added,
// the end. Then slices are shorter. A slice's end costs about 30 us: 16 idle processes on 2 cores used 0.25 %
// of a core with slices of 200 ms, and 0.9 % with 50 ms.
//
//   Outcome<...> detector = FailureDetector::start(own);   before peers hear of own.record
//   detector->add_peer(...); detector->settle();           as communicators are made
//   detector->depart();                                    when no peer needs this process any more
//
// Destroyed without depart(), or the process ended by exit(): peers are told of a death.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "detour/routing/outcome.hpp"
#include "failure/life_holder.hpp"
#include "failure/peer_book.hpp"
#include "failure/progress_watch.hpp"
#include "failure/word_sleep.hpp"

namespace detour {

struct DetectorOptions {
  // How long a peer that this process waits for may give no sign of life, or not get on: see ProgressWatch. Unset: for
  // ever.
  std::optional<std::chrono::nanoseconds> hang_limit{};
  // Both are called often, by the detector's thread; the second with a lock held, so it may not call back.
  std::function<OwnProgress()> own_progress = [] { return OwnProgress{}; };
  std::function<bool(PeerId)> waits_for = [](PeerId) { return true; };
  std::chrono::milliseconds slice{200};
  std::chrono::milliseconds slice_on_one_word{100};
  std::chrono::milliseconds slice_until_confirmed{10};
  bool may_sleep_on_several_words = true;
  // Both are called by whichever thread looked, without a lock held. The first after every change, to
  // wake those who wait for something else; the second with lines for the log.
  std::function<void()> on_change{};
  std::function<void(std::string_view)> on_note{};
};

class FailureDetector {
 public:
  // `own.pid` is not looked at. Fails if the kernel keeps no robust locks, or there is no thread to be had.
  static Outcome<std::unique_ptr<FailureDetector>> start(DetectorPeer own,
                                                         DetectorOptions options = {});
  ~FailureDetector();
  FailureDetector(const FailureDetector&) = delete;
  FailureDetector& operator=(const FailureDetector&) = delete;

  // A further record of this process, in another heap of its. Kept like the first.
  void add_own_record(DetectorPeer own);

  // Once per process: those that are known are not added again. May be dead already.
  void add_peer(DetectorPeer peer);
  // After peers were added: returns when the thread no longer sleeps on the word of one that it watched before. From when
  // all have done that, the ring finds any deaths.
  void settle();

  // Looks at all peers now, without waiting for the detector's thread: for whoever heard the doorbell.
  void look();

  // As of the last look. Of those never added: departed.
  PeerState state(PeerId peer) const;
  // False for one of another PID namespace: it stays dead, and memory that it may write to is lost.
  bool can_be_confirmed(PeerId peer) const;
  // Those who are or were peers, and died.
  std::vector<PeerId> dead_peers() const;
  // Grows with every change of a state: cheap to compare in every turn of a wait.
  std::uint64_t change_count() const { return change_count_.load(std::memory_order_acquire); }
  // What has changed since the last call, each once.
  std::vector<PeerChange> take_changes();

  // Ends a peer that hangs: see PeerBook. Its death is then found like any other. A refusal says why it could not be
  // killed, but only shut out.
  Outcome<bool> fence(PeerId peer, std::string_view reason);

  // The own lock is let go of, and nobody watched any more, when this returns.
  void depart();

 private:
  FailureDetector(DetectorPeer own, DetectorOptions options);

  void run(std::promise<bool> has_begun);
  std::vector<SeenWord> news_words() const;
  std::chrono::nanoseconds look_around(std::vector<SeenWord>& words);
  void sleep(std::vector<SeenWord>& words, std::chrono::nanoseconds slice);
  void wake_thread() const;
  void end_thread(bool on_purpose);
  void keep(const Findings& findings);
  void announce(const Findings& findings) const;

  const DetectorOptions options_;
  const bool sleeps_on_several_;
  const pid_t process_;
  LifeLock& first_lock_;

  mutable std::mutex mutex_;  // guards what follows
  std::vector<DetectorPeer> own_;
  LifeHolder holder_;
  PeerBook book_;
  std::vector<PeerChange> changes_;

  std::atomic<std::uint64_t> change_count_{0};
  std::atomic<std::uint32_t> sleep_steps_{0};  // by the thread: odd while it sleeps
  std::atomic<bool> stops_{false};
  std::atomic<bool> departs_{false};  // written before stops_
  std::thread thread_;
};

}  // namespace detour
