// Which rank is in which cell of the mesh: a pure function of where the ranks are, so that all ranks
// come to the same answer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/rank_flow.hpp"
#include "detour/routing/api.hpp"
#include "detour/routing/fault_set.hpp"
#include "detour/routing/mesh.hpp"
#include "detour/routing/outcome.hpp"
#include "placement/host_identity.hpp"
#include "settings.hpp"

namespace detour {

// What ranks tell each other, as bytes.
struct RankLocation {
  HostIdentity host;
  std::int32_t numa = 0;
  std::int32_t core = 0;
};

// Of this process.
DETOUR_API RankLocation own_location();

struct Placement {
  Mesh mesh;
  FaultSet holes;  // cells left over
  CellMap cells;
  CellContent content = CellContent::rank;
  std::vector<CellId> cell_of_rank;
  std::vector<std::int32_t> node_of_rank;  // counted in the order of their first ranks
  std::int32_t node_count = 0;
};

// By rank: where it is. Cells are laid along a snake through the mesh,
//
//     0 - 1 - 2
//             |      in the order of node, NUMA node, core and rank, so that neighbours on the mesh
//     5 - 4 - 3      are near each other in the machine.
//     |
//     6 - 7   .      What is left over at the end is holes.
//
// A cell holds a rank if all are on one node, otherwise all ranks of a node; settings may want it
// otherwise. Fails, in words, if the mesh that the settings ask for is too small.
DETOUR_API Outcome<Placement> place_ranks(std::span<const RankLocation> locations,
                                          const Settings& settings);

}  // namespace detour
