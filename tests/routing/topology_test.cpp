// Meshes, fault sets, parts and the joins between them.
#include <algorithm>
#include <random>

#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// Prim's algorithm over all pairs of cells in different parts.
std::int32_t shortest_total_join(const Topology& topology) {
  const auto& parts = topology.parts();
  const auto gap = [&](std::size_t a, std::size_t b) {
    std::int32_t shortest = Mesh::cell_count_max;
    for (const CellId x : parts[a]) {
      for (const CellId y : parts[b]) shortest = std::min(shortest, topology.mesh().distance(x, y));
    }
    return shortest;
  };
  std::vector<bool> inside(parts.size());
  inside[0] = true;
  std::int32_t total = 0;
  for (std::size_t step = 1; step < parts.size(); ++step) {
    std::int32_t shortest = Mesh::cell_count_max;
    std::size_t next = 0;
    for (std::size_t a = 0; a < parts.size(); ++a) {
      for (std::size_t b = 0; b < parts.size(); ++b) {
        if (!inside[a] || inside[b] || gap(a, b) >= shortest) continue;
        shortest = gap(a, b);
        next = b;
      }
    }
    inside[next] = true;
    total += shortest;
  }
  return total;
}

}  // namespace

TEST_CASE("a mesh has a cell or more, and not too many") {
  CHECK_THROWS_AS(Mesh(0, 4), std::invalid_argument);
  CHECK_THROWS_AS(Mesh(4, -1), std::invalid_argument);
  CHECK_THROWS_AS(Mesh(128, 129), std::invalid_argument);
  CHECK_THROWS_AS(Mesh(2'000'000'000, 2'000'000'000), std::invalid_argument);
  CHECK(Mesh(128, 128).cell_count() == Mesh::cell_count_max);
  CHECK(Mesh(1, 16384).cell_count() == Mesh::cell_count_max);
}

TEST_CASE("adjacency is the neighbours' list, on narrow meshes too") {
  for (const Mesh& mesh : {Mesh(1, 5), Mesh(5, 1), Mesh(2, 2), Mesh(3, 4), Mesh(1, 1)}) {
    for (CellId a = 0; a < mesh.cell_count(); ++a) {
      const auto neighbours = mesh.neighbours(a);
      for (CellId b = 0; b < mesh.cell_count(); ++b) {
        const bool listed = std::find(neighbours.begin(), neighbours.end(), b) != neighbours.end();
        INFO(mesh.rows() << "x" << mesh.cols() << " " << a << " " << b);
        REQUIRE(mesh.adjacent(a, b) == listed);
        REQUIRE(mesh.adjacent(a, b) == (mesh.distance(a, b) == 1));
      }
    }
  }
}

TEST_CASE("a fault set counts a cell once and refuses cells that aren't there") {
  const Mesh mesh(2, 3);
  FaultSet faults(mesh);
  faults.fail(4);
  faults.fail(4);
  CHECK(faults.count() == 1);
  CHECK_THROWS_AS(faults.fail(6), std::out_of_range);
  CHECK_THROWS_AS(faults.fail(-1), std::out_of_range);
  CHECK_THROWS_AS(Topology(Mesh(3, 3), faults), std::invalid_argument);
}

TEST_CASE("joins are a shortest spanning tree of the parts") {
  std::mt19937 random(9);
  for (int round = 0; round < 200; ++round) {
    const Mesh mesh(static_cast<int>(1 + random() % 9), static_cast<int>(1 + random() % 9));
    const auto hole_count =
        static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(mesh.cell_count()));
    const Topology topology = with_random_holes(mesh, hole_count, random);
    INFO("round " << round);
    REQUIRE(topology.joins().size() + 1 == topology.parts().size());
    std::int32_t total = 0;
    for (const Hop& join : topology.joins()) {
      REQUIRE(topology.live(join.from));
      REQUIRE(topology.live(join.to));
      total += mesh.distance(join.from, join.to);
    }
    REQUIRE(total == shortest_total_join(topology));
    REQUIRE(LiveGraph(topology).node_count() == topology.live_count());
  }
}

TEST_CASE("links: neighbours on a mesh, everybody on a complete graph, never the dead") {
  const Topology mesh = drawn({"...", ".x."});
  CHECK(mesh.linked(0, 1));
  CHECK_FALSE(mesh.linked(0, 2));
  CHECK_FALSE(mesh.linked(1, 4));
  CHECK_FALSE(mesh.linked(2, 3));
  CHECK_FALSE(mesh.linked(0, 0));
  CHECK_FALSE(mesh.linked(0, -1));
  CHECK_FALSE(mesh.linked(5, 6));
  const Topology complete = drawn({"...", ".x."}, Connectivity::complete);
  CHECK(complete.linked(0, 5));
  CHECK_FALSE(complete.linked(0, 4));
  CHECK_FALSE(complete.linked(3, 3));
}
