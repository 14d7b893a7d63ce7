// A plan: weighted reduce and broadcast trees that together carry the whole payload.
//
//   flow:   leaf --> inner --> ROOT   reduce, child to parent, sums on the way
//           leaf <-- inner <-- ROOT   broadcast, parent to child, copies of the sum
//
// Everything is a set of such flows. A ring of n cells would be n flows of n-1 hops each, so it is
// kept as one compact Cycle and expanded flow by flow where somebody needs the hops.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "detour/routing/api.hpp"
#include "detour/routing/topology.hpp"

namespace detour {

// Shares are integers so that every rank cuts the payload at the same bytes.
using Share = std::uint32_t;

struct Flow {
  Share share = 0;
  CellId root = no_cell;
  // In both, the order of the hops of one cell is the order in which it serves its children: sums
  // are formed in a fixed order, hence the same bits every time.
  std::vector<Hop> reduce;     // child -> parent
  std::vector<Hop> broadcast;  // parent -> child

  bool operator==(const Flow&) const = default;
};

// A one-way ring, with cells that it could not take in hanging on it.
//
//      c0 -> c1 -> c2        flow i ends in order[i]: it starts one cell further on, reduces once
//      ^           |         round the ring, and is broadcast once round it from there
//      c5 <- c4 <- c3 <- t   t is a tail: child -> the cell it hangs on
struct Cycle {
  std::vector<CellId> order;
  std::vector<Share> shares;  // of flow i, the one that ends in order[i]
  // Child -> parent, the parent a cell of the ring or of a tail listed before.
  std::vector<Hop> tails;

  bool operator==(const Cycle&) const = default;
};

struct Plan {
  std::string policy;
  std::uint64_t total_share = 0;  // all shares of all flows and cycles
  std::vector<Flow> flows;
  std::vector<Cycle> cycles;
  std::vector<Hop> bridges;  // the non-mesh hops in use, each once, in either direction

  bool operator==(const Plan&) const = default;
};

// Flow `index` of a cycle, written out.
DETOUR_API Flow expand(const Cycle& cycle, std::size_t index);

// Visits every flow, those of cycles written out one at a time, so that memory stays bounded.
DETOUR_API void for_each_flow(const Plan& plan, const std::function<void(const Flow&)>& visit);

// The sum of all shares of all flows and cycles, whatever plan.total_share says.
DETOUR_API std::uint64_t share_sum(const Plan& plan);

// How many flows for_each_flow visits.
DETOUR_API std::size_t flow_count(const Plan& plan);

// Adds to plan.bridges those of topology.joins() that the plan uses. Only those: a hop that a
// policy got wrong must not become a bridge by itself.
DETOUR_API void mark_joins(const Topology& topology, Plan& plan);

}  // namespace detour
