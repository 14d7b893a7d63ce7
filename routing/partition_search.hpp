// The best partition of all, by minimum cuts: see bound.hpp for what it proves.
#pragma once

#include "detour/routing/bound.hpp"
#include "detour/routing/live_graph.hpp"

namespace detour {

// The partition that proves most, starting from one that proves something. One minimum cut per cell
// and round, so it takes about a second for a thousand cells.
Bound best_bound(const Topology& topology, const LiveGraph& graph, Bound start);

}  // namespace detour
