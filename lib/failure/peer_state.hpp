// What can be known of a process: the words that the parts of the failure detector share.
#pragma once

#include <cstdint>
#include <string_view>

namespace detour {

// The same number for a process in all who know it: the ring in which they watch is in this order.
using PeerId = std::uint64_t;

// What a process's lock says.
enum class Life : std::uint8_t { alive, dead, departed };

//   alive ---> suspected --> dead --> confirmed
//     |            |
//     +------------+------> departed
//
// suspected: it hangs, and is being ended. dead: its lock says so; others of its threads may still
// write for some milliseconds. confirmed: the kernel has ended all of its threads, so what it shared is
// quiet. departed: it said good-bye. The last two are final.
enum class PeerState : std::uint8_t { alive, suspected, dead, confirmed, departed };

constexpr bool is_gone(PeerState state) {
  return state != PeerState::alive && state != PeerState::suspected;
}

constexpr bool has_died(PeerState state) {
  return state == PeerState::dead || state == PeerState::confirmed;
}

constexpr std::string_view to_text(PeerState state) {
  switch (state) {
    case PeerState::alive:
      return "alive";
    case PeerState::suspected:
      return "suspected";
    case PeerState::dead:
      return "dead";
    case PeerState::confirmed:
      return "confirmed dead";
    case PeerState::departed:
      return "departed";
  }
  return "unknown";
}

}  // namespace detour
