#include "failure/peer_ring.hpp"

#include "protocol_switches.hpp"

namespace detour {

bool PeerRing::add(PeerId peer) {
  return peer != own_ && states_.emplace(peer, PeerState::alive).second;
}

std::vector<PeerId> PeerRing::peers() const {
  std::vector<PeerId> all;
  for (const auto& [peer, state] : states_) all.push_back(peer);
  return all;
}

bool PeerRing::change(PeerId peer, PeerState to) {
  PeerState& state = states_.at(peer);
  if (state == to) return false;
  state = to;
  return true;
}

void PeerRing::begin_look() {
  watched_before_ = watched();
  found_death_ = false;
}

bool PeerRing::end_look() {
  return found_death_ && watched() != watched_before_ && !protocol_switches.tell_nobody;
}

bool PeerRing::lock_says(PeerId peer, Life life) {
  if (life == Life::alive || is_gone(state(peer))) return false;
  found_death_ = found_death_ || life == Life::dead;
  return change(peer, life == Life::dead ? PeerState::dead : PeerState::departed);
}

bool PeerRing::has_ended(PeerId peer) {
  return state(peer) != PeerState::departed && change(peer, PeerState::confirmed);
}

bool PeerRing::suspect(PeerId peer) {
  return !is_gone(state(peer)) && change(peer, PeerState::suspected);
}

std::optional<PeerId> PeerRing::watched() const {
  const auto start = states_.upper_bound(own_);
  for (auto place = start; place != states_.end(); ++place) {
    if (!is_gone(place->second)) return place->first;
  }
  for (auto place = states_.begin(); place != start; ++place) {
    if (!is_gone(place->second)) return place->first;
  }
  return std::nullopt;
}

std::optional<PeerId> PeerRing::begin_sleep() {
  sleeps_on_ = watched();
  return sleeps_on_;
}

std::vector<PeerId> PeerRing::not_gone() const {
  std::vector<PeerId> rest;
  for (const auto& [peer, state] : states_) {
    if (!is_gone(state)) rest.push_back(peer);
  }
  return rest;
}

}  // namespace detour
