// Breadth-first search over a LiveGraph.
#pragma once

#include <vector>

#include "detour/routing/live_graph.hpp"
#include "detour/routing/tree.hpp"

namespace detour {

struct BreadthFirst {
  std::vector<LiveGraph::Node> order;   // by distance; the last one is a furthest
  std::vector<LiveGraph::Edge> parent;  // by node; {-1, -1} for the start
  std::vector<std::int32_t> distance;   // by node

  LiveGraph::Node furthest() const { return order.back(); }
  std::int32_t height() const { return distance[static_cast<std::size_t>(furthest())]; }
  TreeLinks links() const;
};

BreadthFirst breadth_first(const LiveGraph& graph, LiveGraph::Node start);

// A node from which no other is far: halfway between two far ends, then downhill.
LiveGraph::Node middle(const LiveGraph& graph);

}  // namespace detour
