#include "proof_text.hpp"

#include "detour_program.hpp"
#include "support/meshes.hpp"

using namespace detour;
using namespace detour::test;
using detour::tool::proof_text;

TEST_CASE("a proof names the parts and draws them") {
  const Topology topology = with_holes(Mesh(3, 4), {{1, 1}});
  const Bound bound = certify(topology, {{0, 1, 2, 4, 6, 8, 9, 10}, {3, 7}, {11}});
  const std::string expected =
      R"(proof of the limit T*: cut the live cells into 3 parts, with 4 links between them.
Every byte of the sum needs something of each part, and each part needs the sum: 2 M over
those 4 links, each way. No plan is faster than 2/4 = 0.5000 M/B.
  A  8 cells: 0,0-2  1,0  1,2  2,0-2
  B  2 cells: 0-1,3
  .  1 part of a single cell

  A A A B
  A x A B
  A A A .
)";
  REQUIRE(proof_text(topology, bound, false) == expected);
}

TEST_CASE("a mesh in parts proves nothing, and its parts are shown") {
  const Topology topology = with_holes(Mesh(2, 3), {{0, 1}, {1, 1}});
  const auto text = proof_text(topology, limit(topology), true);
  REQUIRE(contains(text, "no limit: no mesh link joins the 2 parts"));
  REQUIRE(contains(text, "  A × B\n  A × B\n"));
}

TEST_CASE("proofs of all sizes are drawn, or said to be too wide") {
  REQUIRE(proof_text(intact(1, 1), limit(intact(1, 1)), true) ==
          "proof: a single cell has nothing to exchange\n");
  const Topology wide = intact(1, 99);
  REQUIRE(contains(proof_text(wide, limit(wide), true), "(too wide to draw)"));
}

TEST_CASE("the program shows the proof on demand, below a plan and below a table") {
  REQUIRE_FALSE(contains(output_of("plan --mesh 4x4"), "proof"));
  const std::string proof = "\nproof of the limit T*: cut the live cells into 16 parts, with 24 ";
  REQUIRE(contains(output_of("plan --mesh 4x4 --proof"), proof));
  REQUIRE(contains(output_of("plan --mesh 4x4 --proof --table"), proof));
  REQUIRE(contains(output_of("plan --mesh 4x4 --proof"), "16 parts of a single cell each\n"));
}
