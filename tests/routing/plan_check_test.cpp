// The checker: every kind of corruption by name, then thousands of random ones against an oracle
// that runs the plan instead of looking at it.
#include <algorithm>
#include <functional>
#include <random>

#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

struct Corruption {
  std::string name;
  std::function<void(Plan&)> apply;
};

const std::vector<Corruption>& flow_corruptions() {
  static const std::vector<Corruption> all{
      {"a hop is missing in a reduce tree", [](Plan& plan) { plan.flows[0].reduce.pop_back(); }},
      {"a hop is missing in a broadcast tree",
       [](Plan& plan) { plan.flows[0].broadcast.pop_back(); }},
      {"a hop is there twice",
       [](Plan& plan) { plan.flows[0].reduce.push_back(plan.flows[0].reduce[0]); }},
      {"a hop runs the wrong way",
       [](Plan& plan) { std::swap(plan.flows[0].reduce[0].from, plan.flows[0].reduce[0].to); }},
      {"reduce and broadcast are mixed up",
       [](Plan& plan) { std::swap(plan.flows[0].reduce, plan.flows[0].broadcast); }},
      {"the root is not the root",
       [](Plan& plan) { plan.flows[0].root = plan.flows[0].reduce.front().from; }},
      {"the root is no cell", [](Plan& plan) { plan.flows[0].root = 1000; }},
      {"the root is below zero", [](Plan& plan) { plan.flows[0].root = no_cell; }},
      {"a share is zero", [](Plan& plan) { plan.flows[0].share = 0; }},
      {"a share is too large", [](Plan& plan) { ++plan.flows[0].share; }},
      {"the total is too large", [](Plan& plan) { ++plan.total_share; }},
      {"a flow is missing", [](Plan& plan) { plan.flows.pop_back(); }},
      {"all flows are missing",
       [](Plan& plan) {
         plan.flows.clear();
         plan.total_share = 0;
       }},
      {"a hop leads to itself",
       [](Plan& plan) { plan.flows[0].reduce[0].to = plan.flows[0].reduce[0].from; }},
      {"a hop leads off the mesh", [](Plan& plan) { plan.flows[0].broadcast[0].to = -7; }},
      {"a link is called a bridge",
       [](Plan& plan) { plan.bridges.push_back(plan.flows[0].reduce[0]); }},
  };
  return all;
}

// Turns the path a-b-c at the leaves of the reduce tree into a cycle that the root never hears of.
void close_a_cycle(const Topology& topology, Flow& flow) {
  for (Hop& hop : flow.reduce) {
    for (const Hop& below : flow.reduce) {
      // hop.from is the parent of below.from: point it back at its child.
      if (below.to != hop.from || !topology.linked(hop.from, below.from)) continue;
      hop.to = below.from;
      return;
    }
  }
  FAIL("no path of two hops");
}

}  // namespace

TEST_CASE("the checker rejects every corruption of a flow") {
  const Topology topology = drawn({"....", ".x..", "....", "...."});
  const std::string name = GENERATE("tree", "trees", "ring2d");
  const Plan good = plan_by(name, topology);
  REQUIRE_FALSE(find_defect(topology, good));
  for (const Corruption& corruption : flow_corruptions()) {
    Plan bad = good;
    corruption.apply(bad);
    INFO(name << ": " << corruption.name);
    CHECK(find_defect(topology, bad));
    CHECK(oracle_defect(topology, bad));
  }
}

TEST_CASE("the checker rejects a cycle in a tree") {
  const Topology topology = drawn({"....", ".x..", "....", "...."});
  Plan bad = plan_by("tree", topology);
  close_a_cycle(topology, bad.flows[0]);
  const auto defect = find_defect(topology, bad);
  REQUIRE(defect);
  CHECK(defect->find("cycle") != std::string::npos);
  CHECK(oracle_defect(topology, bad));
}

TEST_CASE("the checker rejects links to dead cells and missing cells, and says which") {
  const Topology before = drawn({"...", "...", "..."});
  const Plan plan = plan_by("trees", before);
  const Topology after = drawn({"...", ".x.", "..."});
  const auto dead = find_defect(after, plan);
  REQUIRE(dead);
  CHECK(dead->find("(1,1) is not alive") != std::string::npos);

  const Plan smaller = plan_by("trees", after);
  const auto missing = find_defect(before, smaller);
  REQUIRE(missing);
  CHECK(missing->find("(1,1) does not reach the root") != std::string::npos);
}

TEST_CASE("the checker rejects every corruption of a ring") {
  const Topology topology = drawn({"....", "....", "...."});
  const Plan good = plan_by("ring", topology);
  REQUIRE(good.cycles.size() == 2);
  REQUIRE_FALSE(find_defect(topology, good));
  const std::vector<Corruption> corruptions{
      {"a cell is left out",
       [](Plan& plan) {
         plan.cycles[0].order.pop_back();
         plan.cycles[0].shares.pop_back();
         --plan.total_share;
       }},
      {"a cell is there twice",
       [](Plan& plan) { plan.cycles[0].order[2] = plan.cycles[0].order[0]; }},
      {"two cells have changed places",
       [](Plan& plan) { std::swap(plan.cycles[0].order[1], plan.cycles[0].order[4]); }},
      {"a share is missing", [](Plan& plan) { plan.cycles[0].shares.pop_back(); }},
      {"a share is zero", [](Plan& plan) { plan.cycles[0].shares[3] = 0; }},
      {"a share is too large", [](Plan& plan) { ++plan.cycles[0].shares[3]; }},
      {"a ring cell hangs on the ring as well",
       [](Plan& plan) {
         plan.cycles[0].tails.push_back({plan.cycles[0].order[0], plan.cycles[0].order[1]});
       }},
      {"nothing is left of it",
       [](Plan& plan) {
         plan.cycles[0] = Cycle{};
         plan.total_share /= 2;
       }},
  };
  for (const Corruption& corruption : corruptions) {
    Plan bad = good;
    corruption.apply(bad);
    INFO(corruption.name);
    CHECK(find_defect(topology, bad));
    CHECK(oracle_defect(topology, bad));
  }
}

TEST_CASE("the checker names what is wrong with a root and a ring") {
  const Topology topology = drawn({"..", ".."});
  Plan rooted = plan_by("tree", topology);
  const CellId root = rooted.flows[0].root;
  rooted.flows[0].reduce.push_back({root, rooted.flows[0].reduce.back().from});
  CHECK(find_defect(topology, rooted).value_or("").find("has a parent") != std::string::npos);
  Plan ring = plan_by("ring", topology);
  ring.cycles[0].shares[1] = 0;
  --ring.total_share;
  CHECK(find_defect(topology, ring).value_or("").find("carries nothing") != std::string::npos);
  Plan short_ring = plan_by("ring", drawn({".."}));
  short_ring.cycles[0].order = {0};
  short_ring.cycles[0].shares = {2};
  CHECK(find_defect(drawn({".x"}), short_ring).value_or("").find("fewer than two") !=
        std::string::npos);
}

TEST_CASE("wild numbers in a plan are defects, not crashes") {
  const Topology topology = drawn({"..x", "xxx", "x.."});
  for (const CellId wild : {-2'147'483'647 - 1, -1, 9, 2'147'483'647}) {
    Plan bad = plan_by("tree", topology);
    bad.flows[0].reduce[0].from = wild;
    mark_joins(topology, bad);
    CHECK(find_defect(topology, bad));
  }
}

TEST_CASE("the checker rejects corrupt tails") {
  const Topology topology = drawn({"..xx", "....", "xx.x"});
  const Plan good = plan_by("ring", topology);
  REQUIRE(good.cycles[0].tails.size() == 3);
  Plan missing = good;
  missing.cycles[0].tails.erase(missing.cycles[0].tails.begin());
  CHECK(find_defect(topology, missing));
  Plan twice = good;
  twice.cycles[1].tails.push_back(twice.cycles[1].tails[0]);
  CHECK(find_defect(topology, twice));
  Plan disordered = good;  // the outermost first
  std::reverse(disordered.cycles[0].tails.begin(), disordered.cycles[0].tails.end());
  CHECK(find_defect(topology, disordered));
  Plan loose = good;  // two tails that only hold each other
  for (Hop& tail : loose.cycles[0].tails) {
    if (tail.from == topology.mesh().id({1, 2})) tail.to = topology.mesh().id({1, 3});
  }
  CHECK(find_defect(topology, loose));
}

TEST_CASE("bridges have to be marked, needed and allowed") {
  const Topology topology = drawn({"..x..", "..x..", "..x.."});
  const Plan good = plan_by("trees", topology);
  REQUIRE(good.bridges.size() == 1);
  Plan unmarked = good;
  unmarked.bridges.clear();
  CHECK(find_defect(topology, unmarked));
  const Topology forbidden(topology.mesh(), topology.faults(), Connectivity::mesh, false);
  CHECK(find_defect(forbidden, good));
  const Topology complete(topology.mesh(), topology.faults(), Connectivity::complete);
  CHECK(find_defect(complete, good));
  Plan twice = good;
  twice.bridges.push_back({good.bridges[0].to, good.bridges[0].from});
  CHECK(find_defect(topology, twice));
  Plan unused = good;
  unused.bridges.push_back({topology.mesh().id({2, 1}), topology.mesh().id({0, 3})});
  CHECK(find_defect(topology, unused));
  for (const Hop nowhere : {Hop{0, 0}, Hop{0, 2}, Hop{-5, 1}}) {
    Plan bad = good;
    bad.bridges.push_back(nowhere);
    CHECK(find_defect(topology, bad));
  }
  const Plan direct_way = plan_by("trees", complete);
  CHECK(direct_way.bridges.empty());
}

TEST_CASE("checker and oracle agree on random corruptions") {
  std::mt19937 random(2011);
  const auto pick = [&](std::size_t count) { return random() % count; };
  int rejected_count = 0;
  for (int round = 0; round < 400; ++round) {
    const Mesh mesh(static_cast<int>(2 + pick(3)), static_cast<int>(2 + pick(3)));
    const Topology topology = with_random_holes(mesh, static_cast<int>(pick(3)), random);
    const std::string name = round % 2 == 0 ? "trees" : "ring";
    auto made = policy(name).plan(topology, {});
    if (!made.ok()) continue;
    const Plan good = std::move(made).value();
    for (int mutation = 0; mutation < 25; ++mutation) {
      Plan plan = good;
      const auto cell = static_cast<CellId>(pick(static_cast<std::size_t>(mesh.cell_count())));
      if (!plan.cycles.empty()) {
        Cycle& cycle = plan.cycles[pick(plan.cycles.size())];
        const std::size_t kind = pick(cycle.tails.empty() ? 2 : 4);
        if (kind == 0) cycle.order[pick(cycle.order.size())] = cell;
        if (kind == 1) cycle.shares[pick(cycle.shares.size())] = static_cast<Share>(pick(3));
        if (kind == 2) cycle.tails[pick(cycle.tails.size())].from = cell;
        if (kind == 3) cycle.tails[pick(cycle.tails.size())].to = cell;
      } else if (!plan.flows.empty()) {
        Flow& flow = plan.flows[pick(plan.flows.size())];
        const std::size_t kind = pick(6);
        if (kind == 0) flow.root = cell;
        if (kind == 1) flow.share = static_cast<Share>(pick(3));
        if (kind == 2) flow.reduce[pick(flow.reduce.size())].from = cell;
        if (kind == 3) flow.reduce[pick(flow.reduce.size())].to = cell;
        if (kind == 4) flow.broadcast[pick(flow.broadcast.size())].from = cell;
        if (kind == 5) flow.broadcast[pick(flow.broadcast.size())].to = cell;
      }
      const auto verdict = find_defect(topology, plan);
      const auto truth = oracle_defect(topology, plan);
      INFO(name << " round " << round << ": checker says '" << verdict.value_or("fine")
                << "', oracle says '" << truth.value_or("fine") << "'");
      REQUIRE(verdict.has_value() == truth.has_value());
      if (verdict) ++rejected_count;
    }
  }
  CHECK(rejected_count > 4000);
}
