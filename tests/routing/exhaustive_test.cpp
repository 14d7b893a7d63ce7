// Every policy on every fault set of small meshes: a checked plan or an explained refusal.
#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

void try_policy(const Policy& candidate, const Topology& topology, bool ask_oracle) {
  const auto plan = candidate.plan(topology, {});
  if (topology.live_count() == 0) {
    REQUIRE(plan.failed());
    return;
  }
  INFO(candidate.name() << ": " << plan.reason());
  REQUIRE_FALSE(plan.failed());
  if (plan.refused()) {
    REQUIRE_FALSE(plan.reason().empty());
    REQUIRE(candidate.name() != "auto");
    REQUIRE(candidate.name() != "tree");
    REQUIRE(candidate.name() != "trees");
    return;
  }
  // The policy has passed its plan through the checker; here it is asked once more from outside.
  REQUIRE_FALSE(find_defect(topology, plan.value()));
  if (ask_oracle) REQUIRE_FALSE(oracle_defect(topology, plan.value()));
}

void try_all_fault_sets(const Mesh& mesh, std::uint64_t oracle_every) {
  for (std::uint64_t mask = 0; mask < (std::uint64_t{1} << mesh.cell_count()); ++mask) {
    const Topology topology = with_dead_bits(mesh, mask);
    INFO(mesh.rows() << "x" << mesh.cols() << " holes " << mask);
    for (const Policy* candidate : PolicyRegistry::instance().all()) {
      try_policy(*candidate, topology, mask % oracle_every == 0);
    }
  }
}

}  // namespace

TEST_CASE("every policy on every fault set of 3x4 and 5x3", "[exhaustive]") {
  try_all_fault_sets(Mesh(3, 4), 1);
  try_all_fault_sets(Mesh(5, 3), 17);
}

TEST_CASE("every policy on every fault set of 4x4", "[exhaustive]") {
  try_all_fault_sets(Mesh(4, 4), 101);
}
