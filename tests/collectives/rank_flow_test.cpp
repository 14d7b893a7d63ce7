// From cells to ranks, and the check of what comes out.
#include "collectives/rank_flow.hpp"

#include <functional>
#include <set>

#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// Two, three, one and no ranks in the four cells of a 2x2 mesh.
CellMap uneven_cells() {
  return CellMap({{0, 1}, {2, 3, 4}, {5}, {}});
}

std::vector<RankFlow> uneven_flows(std::uint64_t element_count) {
  return expand_plan(plan_by("trees", drawn({"..", ".x"})), uneven_cells(), element_count);
}

}  // namespace

TEST_CASE("cells of several ranks expand to trees over all of them") {
  const auto flows = uneven_flows(100);
  CHECK(uneven_cells().rank_count() == 6);
  CHECK(find_flow_defect(flows, 6, 100).value_or("") == "");
}

TEST_CASE("the ranks of a cell take turns in speaking for it") {
  const Topology topology = intact(1, 2);
  const CellMap cells({{0, 1}, {2, 3}});
  std::set<Rank> roots;
  for (const RankFlow& flow : expand_plan(plan_by("ring", topology), cells, 100)) {
    roots.insert(flow.root);
    for (const RankHop& hop : flow.reduce) {
      const bool between_cells = (hop.from < 2) != (hop.to < 2);
      if (between_cells) roots.insert(hop.from);
    }
  }
  CHECK(roots == std::set<Rank>{0, 1, 2, 3});
}

TEST_CASE("one cell alone is a star per rank") {
  const auto flows = expand_plan(Plan{}, CellMap({{}, {0, 1, 2}}), 7);
  CHECK(flows.size() == 3);
  CHECK(find_flow_defect(flows, 3, 7).value_or("") == "");
  CHECK(expand_plan(Plan{}, CellMap(std::vector<std::vector<Rank>>{{0}}), 5).size() == 1);
}

TEST_CASE("flows without elements are left out") {
  CHECK(uneven_flows(0).empty());
  const auto flows = uneven_flows(1);
  CHECK(flows.size() == 1);
  CHECK(find_flow_defect(flows, 6, 1).value_or("") == "");
}

TEST_CASE("the check of flows finds what is wrong") {
  const auto good = uneven_flows(100);
  const std::vector<std::function<void(std::vector<RankFlow>&)>> corruptions{
      [](auto& flows) { flows.pop_back(); },
      [](auto& flows) { ++flows[0].elements.count; },
      [](auto& flows) { flows[0].reduce.pop_back(); },
      [](auto& flows) { flows[0].broadcast.pop_back(); },
      [](auto& flows) { flows[0].reduce.push_back(flows[0].reduce[0]); },
      [](auto& flows) { std::swap(flows[0].reduce[0].from, flows[0].reduce[0].to); },
      [](auto& flows) { flows[0].root = flows[0].reduce[0].from; },
      [](auto& flows) { flows[0].root = 77; },
      [](auto& flows) { flows[0].broadcast[0].to = -3; },
      [](auto& flows) {
        // Two ranks that are each other's parents.
        flows[0].reduce[0].to = flows[0].reduce[1].from;
        flows[0].reduce[1].to = flows[0].reduce[0].from;
      },
  };
  for (std::size_t at = 0; at < corruptions.size(); ++at) {
    auto bad = good;
    corruptions[at](bad);
    INFO("corruption " << at);
    CHECK(find_flow_defect(bad, 6, 100));
  }
}
