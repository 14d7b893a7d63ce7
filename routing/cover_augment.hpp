// Takes two more cells into a cover of cycles, by an exchange of links along a path.
#pragma once

#include <optional>

#include "cycle_cover.hpp"
#include "detour/routing/live_graph.hpp"

namespace detour {

// The cover with `cell` and one other uncovered cell in it as well, nothing else uncovered; nothing
// if none was found. Cycles may have been cut up and put together in other ways.
//
// Links are added and taken away in turn along a path between the two cells (so those in between
// keep two links each), and a second time, as along the augmenting paths of matching theory. Only the
// nearest partner is tried, so a cover that needs another one is missed.
std::optional<CycleCover> augmented(const LiveGraph& graph, const CycleCover& cover,
                                    LiveGraph::Node cell);

}  // namespace detour
