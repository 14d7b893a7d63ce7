#include "placement/placement.hpp"

#include "placement/mesh_choice.hpp"
#include "support/catch.hpp"
#include "value_text.hpp"

using namespace detour;

namespace {

RankLocation at(std::uint64_t host, std::int32_t core = 0, std::int32_t numa = 0) {
  return {.host = {host, 7}, .numa = numa, .core = core};
}

Placement place(const std::vector<RankLocation>& locations, const Settings& settings = {}) {
  auto outcome = place_ranks(locations, settings);
  REQUIRE(outcome.ok());
  return std::move(outcome).value();
}

// The ranks of each cell in turn: "0 1 2 / 5 4 3", a hole being a dot and a shared cell "0+1".
std::string drawing(const Placement& placement) {
  std::string text;
  for (CellId cell = 0; cell < placement.mesh.cell_count(); ++cell) {
    if (cell > 0) text += cell % placement.mesh.cols() == 0 ? " / " : " ";
    const auto& ranks = placement.cells.ranks(cell);
    REQUIRE(placement.holes.failed(cell) == ranks.empty());
    if (ranks.empty()) text += ".";
    for (std::size_t at = 0; at < ranks.size(); ++at) {
      text += (at > 0 ? "+" : "") + std::to_string(ranks[at]);
      REQUIRE(placement.cell_of_rank[static_cast<std::size_t>(ranks[at])] == cell);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("ranks of one node get a cell each, along a snake") {
  const Placement placement = place(std::vector<RankLocation>(6, at(1)));
  REQUIRE(drawing(placement) == "0 1 2 / 5 4 3");
  REQUIRE(placement.content == CellContent::rank);
  REQUIRE(placement.node_count == 1);
  REQUIRE(placement.node_of_rank == std::vector<std::int32_t>(6, 0));
  REQUIRE(placement.cells.rank_count() == 6);
}

TEST_CASE("cells left over are holes at the end of the snake") {
  REQUIRE(drawing(place(std::vector<RankLocation>(5, at(1)))) == "0 1 2 / . 4 3");
  REQUIRE(drawing(place(std::vector<RankLocation>(11, at(1)))) == "0 1 2 3 / 7 6 5 4 / 8 9 10 .");
  REQUIRE(drawing(place({at(1)})) == "0");
}

TEST_CASE("neighbours on the mesh are near each other in the machine") {
  // Bound in a circle over two NUMA nodes of two cores.
  REQUIRE(drawing(place({at(1, 0, 0), at(1, 2, 1), at(1, 1, 0), at(1, 3, 1)})) == "0 2 / 3 1");
  // Two ranks on a core stay in the order of their numbers.
  REQUIRE(drawing(place({at(1, 1), at(1, 0), at(1, 1), at(1, 0)})) == "1 3 / 2 0");
}

TEST_CASE("nodes get a cell each where there are several") {
  // Dealt out to the nodes in turn; a higher identity makes no later node.
  const Placement placement = place({at(9, 1), at(4), at(5), at(9, 0), at(4), at(5)});
  REQUIRE(drawing(placement) == "3+0 1+4 2+5");
  REQUIRE(placement.content == CellContent::node);
  REQUIRE(placement.node_count == 3);
  REQUIRE(placement.node_of_rank == std::vector<std::int32_t>{0, 1, 2, 0, 1, 2});
}

TEST_CASE("hosts differ by all of their identity") {
  const RankLocation a{.host = {1, 2}, .numa = 0, .core = 0};
  const RankLocation b{.host = {1, 3}, .numa = 0, .core = 0};
  REQUIRE(place({a, b, a}).node_of_rank == std::vector<std::int32_t>{0, 1, 0});
}

TEST_CASE("settings decide what a cell holds") {
  Settings settings;
  settings.cells = CellContent::node;
  REQUIRE(drawing(place({at(1), at(1), at(1)}, settings)) == "0+1+2");
  settings.cells = CellContent::rank;
  const Placement placement = place({at(1), at(2), at(1), at(2)}, settings);
  // The ranks of a node next to each other.
  REQUIRE(drawing(placement) == "0 2 / 3 1");
  REQUIRE(placement.node_count == 2);
}

TEST_CASE("settings decide the mesh, if it is large enough") {
  Settings settings;
  settings.mesh = Mesh(3, 2);
  REQUIRE(drawing(place(std::vector<RankLocation>(4, at(1)), settings)) == "0 1 / 3 2 / . .");
  REQUIRE(place_ranks(std::vector<RankLocation>(7, at(1)), settings).reason() ==
          "the mesh 3x2 has 6 cells, too few for 7 ranks with a cell each");
  settings.mesh = Mesh(1, 1);
  REQUIRE(place_ranks(std::vector<RankLocation>{at(1), at(2)}, settings).reason() ==
          "the mesh 1x1 has 1 cells, too few for 2 nodes with a cell each");
}

TEST_CASE("what no mesh can hold is an error") {
  const std::vector<RankLocation> many(Mesh::cell_count_max + 1, at(1));
  REQUIRE(place_ranks(many, {}).reason() ==
          "a mesh has 16384 cells at most, too few for 16385 ranks with a cell each");
  REQUIRE(place_ranks({}, {}).failed());
}

TEST_CASE("meshes are near-square and waste little") {
  const std::vector<std::pair<std::int32_t, std::string>> expected{
      {1, "1x1"},  {2, "1x2"},  {3, "1x3"},    {4, "2x2"},     {5, "2x3"},      {6, "2x3"},
      {7, "2x4"},  {8, "2x4"},  {9, "3x3"},    {10, "2x5"},    {11, "3x4"},     {12, "3x4"},
      {13, "3x5"}, {14, "2x7"}, {15, "3x5"},   {16, "4x4"},    {17, "3x6"},     {22, "4x6"},
      {64, "8x8"}, {63, "7x9"}, {128, "8x16"}, {512, "16x32"}, {1024, "32x32"}, {16384, "128x128"}};
  for (const auto& [cell_count, text] : expected) {
    INFO(cell_count);
    REQUIRE(mesh_text(choose_mesh(cell_count)) == text);
  }
}

TEST_CASE("every number of cells has a mesh that is neither long nor mostly holes") {
  for (std::int32_t cell_count = 1; cell_count <= Mesh::cell_count_max; ++cell_count) {
    const Mesh mesh = choose_mesh(cell_count);
    const std::int32_t hole_count = mesh.cell_count() - cell_count;
    if (mesh.rows() <= mesh.cols() && mesh.cols() <= 4 * mesh.rows() && hole_count >= 0 &&
        hole_count < mesh.cols() && (hole_count == 0 || mesh.cols() - hole_count > 1)) {
      continue;
    }
    FAIL(cell_count << " cells in " << mesh_text(mesh));
  }
  REQUIRE_THROWS(choose_mesh(0));
  REQUIRE_THROWS(choose_mesh(Mesh::cell_count_max + 1));
}
