// What a process knows of its peers, and whom it watches. Pure: events come in, decisions go out, so that
// a simulator can drive it as well as the detector's thread.
//
// Every process watches one other: its nearest successor in the order of ids, cyclically, that is not
// gone. When that one goes, it looks at all peers, moves on to the next, and tells everybody of a death.
// Claim: if all know the same peers, then after any deaths every survivor is told to look after the last of them.
//
//   1. Let D be dead and W the nearest survivor before it, so that all between them are dead too. W
//      sleeps on some X among them, or on D: X is its nearest successor that was not gone at its last
//      look, so it lies in the gap between W and the next survivor. X's death wakes W (see 4). W looks at
//      all: each of the gap is found dead, or is the new X. By induction W finds all of the gap.
//   2. W tells all others after each look that moved it on. They then look at all peers.
//   3. W may die before it has told everybody. Then it is W that lies in the gap of the survivor before
//      it, V, which by 1 finds W dead and then tells everybody. Those who look on that account see D's
//      mark as well, as it was there before W's. The last survivor has nobody to tell.
//   4. The kernel wakes only one of those who sleep on a word. Two survivors never sleep on the same X:
//      one of them would lie in the gap of the other. A dead one doesn't either: the thread that watches is the
//      one that holds the process's own lock. Its sleep has ended when the kernel gets to marking that
//      lock, so once W has moved past it to X, it is no longer in X's queue and can't swallow the wake-up.
//
// If they don't know the same peers yet (communicators are made one after the other), or one still sleeps on the word that
// it chose before it heard of a nearer peer, two may sleep on one word. Whoever is woken finds that death and wakes the
// other, also if it watches somebody else by now: hence the ring remembers whose word it sleeps on. If it is killed
// before, the other finds out at the end of its slice of sleep, as do those whose only watcher is stopped.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "failure/peer_state.hpp"

namespace detour {

class PeerRing {
 public:
  explicit PeerRing(PeerId own) : own_(own) {}

  // False if it is known already. Never oneself.
  bool add(PeerId peer);
  bool knows(PeerId peer) const { return states_.contains(peer); }
  PeerState state(PeerId peer) const { return states_.at(peer); }
  std::vector<PeerId> peers() const;

  // Around the events of one look at all peers. The end says whether to tell all others: a death was found,
  // and it moved this process on to another peer, so that nobody else is certain to tell of it.
  void begin_look();
  bool end_look();

  // Events. True if the state is another one now. What comes too late changes nothing.
  bool lock_says(PeerId peer, Life life);
  // The kernel has ended all of its threads. A lock that says otherwise is wrong.
  bool has_ended(PeerId peer);
  bool suspect(PeerId peer);

  // None if all others are gone.
  std::optional<PeerId> watched() const;
  // The same, by whoever is about to sleep on that peer's word.
  std::optional<PeerId> begin_sleep();
  // Whether this process may have been the one that the kernel woke for this peer.
  bool may_be_woken_by(PeerId peer) const { return peer == watched() || peer == sleeps_on_; }
  std::vector<PeerId> not_gone() const;

 private:
  bool change(PeerId peer, PeerState to);

  PeerId own_;
  std::map<PeerId, PeerState> states_;
  std::optional<PeerId> watched_before_;
  std::optional<PeerId> sleeps_on_;  // or slept, until the next sleep
  bool found_death_ = false;
};

}  // namespace detour
