#include "tune/plannable.hpp"

#include <mpi.h>

#include "exit_status.hpp"
#include "placement/placement.hpp"
#include "planning.hpp"

namespace detour::tool {
namespace {

std::vector<RankLocation> all_locations(int rank_count) {
  std::vector<RankLocation> locations(static_cast<std::size_t>(rank_count));
  const RankLocation own = own_location();
  PMPI_Allgather(&own, sizeof own, MPI_BYTE, locations.data(), sizeof own, MPI_BYTE,
                 MPI_COMM_WORLD);
  return locations;
}

// The library's topology for it.
Topology topology_for(const std::string& policy, const Placement& placement,
                      const Settings& settings) {
  const auto connectivity = policy == "direct" ? Connectivity::complete : Connectivity::mesh;
  return {placement.mesh, placement.holes, connectivity, settings.bridges.value_or(true)};
}

}  // namespace

std::vector<std::string> plannable(const std::vector<std::string>& policies,
                                   const Settings& settings, std::uint64_t bytes, Peers& peers,
                                   std::vector<std::string>& notes) {
  const auto placement = place_ranks(all_locations(peers.count()), settings);
  if (!placement.ok()) throw BadInput(placement.reason());
  std::vector<std::string> found;
  for (const std::string& policy : policies) {
    const auto plan =
        find_policy(policy).plan(topology_for(policy, placement.value(), settings),
                                 {.bytes = bytes, .machine = {}, .tree_count_max = {}});
    if (plan.ok()) {
      found.push_back(policy);
    } else {
      notes.push_back(policy + " is left out: " + plan.reason());
    }
  }
  return found;
}

}  // namespace detour::tool
