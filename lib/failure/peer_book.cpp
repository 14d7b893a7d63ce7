#include "failure/peer_book.hpp"

#include <algorithm>
#include <utility>

#include "shm/futex.hpp"

namespace detour {
namespace {

using Clock = std::chrono::steady_clock;

std::string name_of(const DetectorPeer& peer) {
  return peer.name.empty() ? "process " + std::to_string(peer.pid) : peer.name;
}

}  // namespace

bool PeerBook::add(DetectorPeer peer) {
  if (!ring_.add(peer.id)) return false;
  Entry entry;
  entry.process = ProcessHandle::open(peer.pid);
  entry.glance = peer.record->lock.glance();
  // Alive after it was opened: then it was the right one. Otherwise the number may be another's by now.
  if (LifeLock::life(entry.glance) != Life::alive) entry.process.keep_number_only();
  entry.peer = std::move(peer);
  entries_.emplace(entry.peer.id, std::move(entry));
  return true;
}

void PeerBook::look(Findings& findings) {
  ring_.begin_look();
  for (auto& [peer, entry] : entries_) look_at(entry, findings);
  if (ring_.end_look()) tell_all();
}

// The handle before the lock: who departs and then ends must not be seen to have ended but not departed.
void PeerBook::look_at(Entry& entry, Findings& findings) {
  const PeerId peer = entry.peer.id;
  const bool may_have_woken = ring_.may_be_woken_by(peer);
  const PeerState before = ring_.state(peer);
  if (before == PeerState::confirmed || before == PeerState::departed) return;
  LifeLock& lock = entry.peer.record->lock;
  bool has_ended = (may_have_woken || has_died(before)) && entry.process.has_ended();
  entry.glance = lock.glance();
  if (has_ended) lock.mark_dead();
  if (ring_.lock_says(peer, lock.life())) {
    record_change(peer, findings);
    has_ended = has_ended || entry.process.has_ended();
    // The kernel woke one, and there may be others who know different peers.
    if (may_have_woken) futex_wake_all(lock.word());
  }
  if (has_ended && ring_.has_ended(peer)) record_change(peer, findings);
}

void PeerBook::look_for_hangs(const std::function<bool(PeerId)>& waits_for, Findings& findings) {
  if (!progress_watch_) return;
  const auto now = Clock::now();
  for (const PeerId peer : ring_.not_gone()) {
    const Entry& entry = entries_.at(peer);
    if (entry.is_fenced) continue;
    if (!waits_for(peer)) {
      progress_watch_->forget(peer);
      continue;
    }
    const auto reason = progress_watch_->look(peer, entry.peer.record->progress.sample(), now);
    if (reason) static_cast<void>(fence(peer, *reason, findings));
  }
}

// Several may come to this at the same time. All do it, lest it depend on one that dies; the first has something to
// say about it.
Outcome<bool> PeerBook::fence(PeerId peer, std::string_view reason, Findings& findings) {
  const auto place = entries_.find(peer);
  if (place == entries_.end()) return Refusal{"there is no such process"};
  Entry& entry = place->second;
  if (is_gone(ring_.state(peer)) || entry.is_fenced) return false;
  if (ring_.suspect(peer)) record_change(peer, findings);
  entry.is_fenced = true;
  const bool is_first = entry.peer.record->claim_note(LifeNote::fenced);
  auto killed = entry.process.kill();
  if (!killed.ok()) entry.peer.record->lock.mark_dead();
  if (!is_first) return killed;
  const std::string why = name_of(entry.peer) + " hangs: " + std::string(reason);
  findings.notes.push_back(
      killed.ok() ? why + "; it is killed"
                  : why + "; it is shut out, for it can't be killed: " + killed.reason());
  return killed;
}

void PeerBook::record_change(PeerId peer, Findings& findings) {
  const PeerState state = ring_.state(peer);
  findings.changes.push_back({peer, state, Clock::now()});
  if (is_gone(state) && progress_watch_) progress_watch_->forget(peer);
}

void PeerBook::tell_all() const {
  for (const PeerId peer : ring_.not_gone()) {
    const DetectorPeer& told = entries_.at(peer).peer;
    if (told.doorbell != nullptr) told.doorbell->add_one();
    told.record->lock.tell_news();
  }
}

PeerState PeerBook::state(PeerId peer) const {
  return ring_.knows(peer) ? ring_.state(peer) : PeerState::departed;
}

bool PeerBook::can_be_confirmed(PeerId peer) const {
  const auto place = entries_.find(peer);
  return place != entries_.end() && place->second.process.can_tell();
}

std::vector<PeerId> PeerBook::dead_peers() const {
  std::vector<PeerId> dead;
  for (const auto& [peer, entry] : entries_) {
    if (has_died(ring_.state(peer))) dead.push_back(peer);
  }
  return dead;
}

std::optional<SeenWord> PeerBook::word_to_sleep_on() {
  const auto watched = ring_.begin_sleep();
  if (!watched) return std::nullopt;
  const Entry& entry = entries_.at(*watched);
  return SeenWord{&entry.peer.record->lock.word(), entry.glance};
}

bool PeerBook::awaits_confirmation() const {
  return std::any_of(entries_.begin(), entries_.end(), [this](const auto& named) {
    return ring_.state(named.first) == PeerState::dead && named.second.process.is_exact();
  });
}

}  // namespace detour
