// Lengthens a ring by detours through cells that it passes by.
#pragma once

#include <vector>

#include "detour/routing/live_graph.hpp"

namespace detour {

std::vector<LiveGraph::Node> with_detours(const LiveGraph& graph,
                                          std::vector<LiveGraph::Node> ring);

}  // namespace detour
