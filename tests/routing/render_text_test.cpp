#include <algorithm>

#include "detour/routing/registry.hpp"
#include "detour/routing/render.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/plans.hpp"
#include "support/text_width.hpp"

using namespace detour;
using namespace detour::test;
using detour::test::widest_line;

namespace {}  // namespace

TEST_CASE("a tree round a hole is drawn cell by cell") {
  const Topology topology = with_holes(Mesh(3, 3), {{0, 1}});
  Plan plan;
  plan.total_share = 1;
  plan.flows = {{.share = 1, .root = 4, .reduce = {}, .broadcast = {}}};
  for (const auto& [child, parent] : std::vector<std::pair<CellId, CellId>>{
           {0, 3}, {2, 5}, {6, 3}, {8, 7}, {3, 4}, {5, 4}, {7, 4}}) {
    plan.flows[0].reduce.push_back({child, parent});
    plan.flows[0].broadcast.push_back({parent, child});
  }
  const std::string expected = R"(what the links carry  the one flow
  0   1   2             0   1   2
0 ○   ×   ○           0 ○   ×   ○
  ┃       ┃             │       │
1 ○━━━●━━━○           1 ├───●───┘
  ┃   ┃                 │   │
2 ○   ○━━━○           2 ○   └───○

● root   ○ cell   × failed
links:  ┄ ┆ up to 0.333  ─ │ up to 0.667  ━ ┃ up to 1.000 of the payload, in the busier direction
flow: lines pass through cells on their way; sums run to the root, the result back the same way
)";
  REQUIRE(render_text(topology, plan, {}) == expected);
}

TEST_CASE("a ring is drawn as a closed line, with what hangs on it") {
  const Topology topology = intact(2, 3);
  Plan plan;
  plan.cycles = {{.order = {0, 1, 4, 3}, .shares = {1, 1, 1, 1}, .tails = {{2, 1}, {5, 4}}}};
  plan.total_share = 4;
  const std::string expected = R"(what the links carry  ring of 4 cells, 2 hang on it
  0   1   2             0   1   2
0 O===O---o           0 +---+---o
  #   #                 |   |
1 O===O---o           1 +---+---o

O root   o cell
links:  . : up to 0.500  - | up to 1.000  = # up to 1.500 of the payload, in the busier direction
ring: lines pass through cells on their way; every cell passes on to the next, all the way round
)";
  REQUIRE(render_text(topology, plan, {.unicode = false}) == expected);
}

TEST_CASE("links are drawn by load, idle ones not at all") {
  const Topology topology = intact(1, 4);
  Plan plan;
  plan.total_share = 9;
  plan.cycles = {{.order = {0, 1}, .shares = {3, 3}, .tails = {}},
                 {.order = {1, 2}, .shares = {1, 1}, .tails = {}}};
  const std::string text = render_text(topology, plan, {});
  REQUIRE(contains(text, "0 ●━━━●┄┄┄●   ○"));
}

TEST_CASE("without unicode a drawing is plain ASCII") {
  for (const std::int32_t side : {2, 9, 20, 40, 70, 100}) {
    const Topology topology = with_holes(Mesh(side, side), {{1, 1}});
    const auto text = render_text(topology, plan_by("tree", topology), {.unicode = false});
    REQUIRE(std::all_of(text.begin(), text.end(), [](char letter) {
      return letter == '\n' || (letter >= ' ' && letter < 127);
    }));
  }
}

TEST_CASE("colour is used only where it is asked for") {
  const Topology topology = with_holes(Mesh(4, 4), {{1, 1}});
  const Plan plan = plan_by("tree", topology);
  const auto plain = render_text(topology, plan, {});
  auto coloured = render_text(topology, plan, {.colour = true});
  REQUIRE_FALSE(contains(plain, "\033"));
  REQUIRE(contains(coloured, "\033[0;31m━━━"));
  // Without its escapes it is the same drawing.
  for (auto at = coloured.find('\033'); at != std::string::npos; at = coloured.find('\033')) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  REQUIRE(coloured == plain);
}

TEST_CASE("drawings of any size stay within 100 columns") {
  for (const auto& [rows, cols] : std::vector<std::pair<std::int32_t, std::int32_t>>{{1, 1},
                                                                                     {1, 2},
                                                                                     {2, 1},
                                                                                     {8, 8},
                                                                                     {12, 12},
                                                                                     {16, 16},
                                                                                     {17, 17},
                                                                                     {20, 16},
                                                                                     {32, 32},
                                                                                     {100, 3},
                                                                                     {3, 48},
                                                                                     {3, 50},
                                                                                     {64, 64},
                                                                                     {2, 97},
                                                                                     {2, 200},
                                                                                     {1, 1024},
                                                                                     {1024, 1}}) {
    const Topology topology = intact(rows, cols);
    const auto text = render_text(topology, plan_by("tree", topology), {});
    INFO(rows << "x" << cols << "\n" << text);
    REQUIRE(widest_line(text) <= 100);
    REQUIRE(widest_line(text) >= 1);
  }
}

TEST_CASE("16x16 has both drawings side by side") {
  const Topology topology = with_holes(Mesh(16, 16), {{3, 3}});
  const auto text = render_text(topology, plan_by("tree", topology), {});
  REQUIRE(contains(text, " 0 ○━━○"));
  REQUIRE(contains(text, "  0 ○──"));
  REQUIRE(std::count(text.begin(), text.end(), '\n') < 40);
}

TEST_CASE("a mesh too wide for cells of its own is drawn in blocks, with its holes") {
  const Topology topology = with_holes(Mesh(4, 250), {{2, 125}});
  const auto text = render_text(topology, plan_by("tree", topology), {});
  REQUIRE(contains(text, "each character: 3x3 cells   × failed"));
  REQUIRE(contains(text, "▓×▓"));
}

TEST_CASE("a character stands for no more cells than there are") {
  const Topology topology = intact(1, 250);
  REQUIRE(contains(render_text(topology, plan_by("tree", topology), {}),
                   "each character: 1x3 cells\n"));
}

TEST_CASE("a route without room for its lines is left out") {
  const Topology topology = intact(64, 64);
  const auto text = render_text(topology, plan_by("tree", topology), {});
  REQUIRE_FALSE(contains(text, "the one flow"));
  REQUIRE(contains(text, "not drawn: the route of a flow, for which an SVG picture has room"));
  REQUIRE(
      contains(render_text(intact(32, 32), plan_by("tree", intact(32, 32)), {}), "the one flow"));
}

TEST_CASE("a legend has a root only where there is one") {
  const Topology topology = intact(1, 1);
  const auto text = render_text(topology, plan_by("tree", topology), {});
  REQUIRE(contains(text, "○ cell"));
  REQUIRE_FALSE(contains(text, "root"));
}

TEST_CASE("a result that comes back another way is said to") {
  const Topology topology = intact(2, 2);
  Plan plan;
  plan.total_share = 1;
  plan.flows = {{.share = 1,
                 .root = 0,
                 .reduce = {{3, 1}, {1, 0}, {2, 0}},
                 .broadcast = {{0, 1}, {0, 2}, {2, 3}}}};
  REQUIRE(contains(render_text(topology, plan, {}), "the result back another way\n"));
}

TEST_CASE("bridges are listed in words, and their ends marked") {
  const Topology topology = with_holes(Mesh(2, 3), {{0, 1}, {1, 1}});
  const auto text = render_text(topology, plan_by("tree", topology), {});
  REQUIRE(contains(text, "◆ end of a bridge"));
  REQUIRE(contains(text, "  ×   ◆"));
  REQUIRE(contains(text, "bridges, hops beyond the mesh: (0,0)-(0,2)"));
}

TEST_CASE("direct hops are counted, not drawn") {
  const Mesh mesh(2, 2);
  const Topology topology(mesh, FaultSet(mesh), Connectivity::complete);
  const auto text = render_text(topology, plan_by("direct", topology), {});
  REQUIRE(contains(text, "not drawn: 4 direct hops"));
}
