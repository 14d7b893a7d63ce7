// Who is measured beside allreduces to tell how fast any could be.
#pragma once

#include <vector>

#include "alternation/alternation.hpp"
#include "bench/node_barrier.hpp"
#include "compare/mapped_pages.hpp"

namespace detour::tool {

// Memory itself, and a meeting, if there is a barrier, which has to be there as long as the entrants.
void add_limits(std::vector<Entrant>& entrants, NodeBarrier* barrier, bool in_place);

// Collective, as the entrants' end is. None of those that get no shared memory from MPI.
void add_bare_exchanges(std::vector<Entrant>& entrants);
// Their buffers are of `pages`, which have to be there as long as the entrants.
void add_bare_mapped_sums(std::vector<Entrant>& entrants, const MappedPages& pages, bool in_place);

}  // namespace detour::tool
