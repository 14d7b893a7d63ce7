// What one rank has to do, in order: the plan's flows cut into chunks and laid out in time.
//
// Every flow is a pipeline: chunk j enters it some time after chunk j-1, climbs the reduce tree level
// by level, turns round at the root and comes down. A step of a rank gets the time at which it would
// happen if all transfers took one tick:
//
//     reduce at a rank d hops below the root:      start(j) + depth - d
//     broadcast at a rank d hops below the root:   start(j) + depth + d
//
// and a rank takes its steps in that order, reductions and broadcasts in two lists of their own. Two
// things follow:
//   - A message leaves one tick before it is taken in, in every flow. So what a rank sends to a
//     peer is taken in in the order in which it is sent: links are queues, and nothing is matched.
//   - Take the earliest step that nobody has taken. What it waits for is earlier, so it is there. It
//     can only lack room to send; but a queue with room for one message more than two ticks can
//     bring holds one that is older than that, whose reader would be earlier still. So there is no
//     such step for long, and nothing deadlocks.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/rank_flow.hpp"

namespace detour {

enum class Lane : std::uint8_t { reduce, broadcast };

// A rank's place in one flow.
struct FlowRole {
  ElementRange elements;
  bool has_reduce = true;
  bool has_broadcast = true;
  Rank reduce_parent = no_rank;  // none at the root
  std::vector<Rank> reduce_children;
  Rank broadcast_parent = no_rank;
  std::vector<Rank> broadcast_children;
};

struct Step {
  std::uint32_t flow = 0;
  std::uint32_t chunk = 0;
  auto operator<=>(const Step&) const = default;
};

// A queue of messages between two ranks, as one of them sees it.
struct Link {
  Rank peer = no_rank;
  Lane lane = Lane::reduce;
  std::uint32_t window_count = 0;   // messages that it has to have room for
  std::uint64_t message_count = 0;  // in all; both ends count the same
};

struct Program {
  Rank rank = no_rank;
  std::uint64_t chunk_elements = 0;
  std::vector<FlowRole> roles;
  std::vector<Step> reduces;
  std::vector<Step> broadcasts;
  std::vector<Link> outgoing;
  std::vector<Link> incoming;
};

// Flows are as find_flow_defect wants them. `chunk_elements` is at least 1.
Program make_program(const std::vector<RankFlow>& flows, Rank rank, std::int32_t rank_count,
                     std::uint64_t chunk_elements);

}  // namespace detour
