// From a bundle of links to a flow: check that they form a tree, find its middle, direct it.
#pragma once

#include <vector>

#include "detour/routing/api.hpp"
#include "detour/routing/live_graph.hpp"
#include "detour/routing/plan.hpp"

namespace detour {

// Links of a LiveGraph that form a spanning tree.
using TreeLinks = std::vector<LiveGraph::LinkId>;

// The flow of a spanning tree, rooted in the middle of its longest path: no other root is less
// deep. Throws std::invalid_argument if the links are no spanning tree of the graph.
DETOUR_API Flow centred_flow(const LiveGraph& graph, const TreeLinks& tree, Share share);

// The same with a root of the caller's choice, which has to be a live cell.
DETOUR_API Flow rooted_flow(const LiveGraph& graph, const TreeLinks& tree, Share share,
                            CellId root);

}  // namespace detour
