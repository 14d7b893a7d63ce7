#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"
#include "support/catch.hpp"

using namespace detour;

TEST_CASE("tree plans an intact mesh") {
  const Mesh mesh(4, 4);
  const Topology topology(mesh, FaultSet(mesh));
  const auto plan = PolicyRegistry::instance().find("tree")->plan(topology, {});
  REQUIRE(plan.reason() == "");
  REQUIRE(shape(topology, plan.value()).depth == 8);
  const auto combs = PolicyRegistry::instance().find("combs")->plan(topology, {});
  REQUIRE(combs.reason() == "");
  REQUIRE(shape(topology, combs.value()).link_load == 15. / 24);
}
