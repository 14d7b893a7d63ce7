// A ring through as many live cells as can be had cheaply.
#pragma once

#include <vector>

#include "detour/routing/live_graph.hpp"

namespace detour {

// The nodes of a long cycle of the graph, in order; empty if the graph has no cycle. Every link of
// it is a mesh link: joins between parts form a tree, which no cycle crosses.
std::vector<LiveGraph::Node> long_ring(const Topology& topology, const LiveGraph& graph);

}  // namespace detour
