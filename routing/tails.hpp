// How cells that are not on a ring hang on it.
#pragma once

#include <array>
#include <vector>

#include "detour/routing/live_graph.hpp"
#include "detour/routing/plan.hpp"

namespace detour {

// Two ways, each with a hop child -> parent for every node off the ring, along shortest ways to the
// ring. A node with several such ways takes a different one in each set, so that no link carries
// what both sets carry unless it has to; and parents are chosen so that few have many children.
std::array<std::vector<Hop>, 2> two_sets_of_tails(const LiveGraph& graph,
                                                  const std::vector<LiveGraph::Node>& ring);

}  // namespace detour
