// T*: against all partitions of tiny meshes, against the published examples, and its certificate.
#include <cmath>
#include <random>

#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// The best bound over every partition of the live cells, connected or not, one by one.
class AllPartitions {
 public:
  explicit AllPartitions(const Topology& topology) : topology_(topology) {
    part_of_.resize(topology.live_cells().size());
    assign(0, 0);
  }
  double best() const { return best_; }

 private:
  void assign(std::size_t at, std::int32_t part_count) {
    if (at == part_of_.size()) return judge(part_count);
    for (std::int32_t part = 0; part <= part_count; ++part) {
      part_of_[at] = part;
      assign(at + 1, std::max(part_count, part + 1));
    }
  }

  void judge(std::int32_t part_count) {
    int links = 0;
    const auto cells = topology_.live_cells();
    for (std::size_t a = 0; a < cells.size(); ++a) {
      for (std::size_t b = a + 1; b < cells.size(); ++b) {
        if (topology_.mesh().adjacent(cells[a], cells[b]) && part_of_[a] != part_of_[b]) ++links;
      }
    }
    if (links > 0) best_ = std::max(best_, (part_count - 1.0) / links);
  }

  const Topology& topology_;
  std::vector<std::int32_t> part_of_;
  double best_ = 0;
};

std::vector<Cell> block(std::int32_t row, std::int32_t col) {
  return {{row, col}, {row, col + 1}, {row + 1, col}, {row + 1, col + 1}};
}

}  // namespace

TEST_CASE("T* is the best of all partitions, on every fault set of a 2x4 and a 3x3 mesh") {
  for (const Mesh& mesh : {Mesh(2, 4), Mesh(3, 3)}) {
    for (std::uint64_t mask = 0; mask < (1U << mesh.cell_count()) - 1; ++mask) {
      const Topology topology = with_dead_bits(mesh, mask);
      const Bound bound = limit(topology);
      INFO(mesh.rows() << "x" << mesh.cols() << " holes " << mask);
      if (topology.parts().size() > 1) {
        REQUIRE(std::isinf(bound.time()));
        REQUIRE(bound.partition == topology.parts());
      } else {
        REQUIRE(bound.exact);
        REQUIRE(bound.time() == Approx(AllPartitions(topology).best()).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("T* of intact meshes has every cell as a part of its own") {
  for (const auto& [rows, cols] : {std::pair{8, 8}, {16, 32}, {32, 32}, {5, 7}, {1, 9}, {2, 2}}) {
    const Mesh mesh(rows, cols);
    const Bound bound = limit(Topology(mesh, FaultSet(mesh)));
    INFO(rows << "x" << cols);
    CHECK(bound.exact);
    CHECK(bound.time() == Approx((rows * cols - 1.0) / (2.0 * rows * cols - rows - cols)));
  }
}

TEST_CASE("T* of the examples, each with a partition that proves it") {
  struct Example {
    std::int32_t side;
    std::vector<Cell> holes;
    std::int64_t numerator;
    std::int64_t denominator;
  };
  const std::vector<Example> examples{
      {8, block(2, 2), 3, 5}, {8, block(3, 3), 59, 100}, {8, block(0, 0), 59, 104},
      {8, block(0, 1), 1, 1}, {8, {{3, 3}}, 62, 108},    {8, {{0, 3}}, 3, 5},
      {8, {{0, 1}}, 1, 1},    {4, block(1, 1), 11, 12},  {16, block(4, 4), 251, 468},
  };
  for (const Example& example : examples) {
    const Topology topology = with_holes(Mesh(example.side, example.side), example.holes);
    const Bound bound = limit(topology);
    INFO(example.side << "x" << example.side << " less " << example.holes.size() << " cells at "
                      << to_string(example.holes.front()) << ": " << bound.time());
    CHECK(bound.exact);
    CHECK(bound.part_count_minus_one * example.denominator == bound.link_count * example.numerator);
    const Bound recount = certify(topology, bound.partition);
    CHECK(recount.part_count_minus_one == bound.part_count_minus_one);
    CHECK(recount.link_count == bound.link_count);
  }
}

TEST_CASE("edges of the limit: one cell, no cell, parts") {
  CHECK(limit(drawn({"."})).time() == 0);
  CHECK(limit(drawn({"x.", "xx"})).time() == 0);
  CHECK(limit(drawn({"x.", "xx"})).partition.empty());
  CHECK(limit(drawn({"xx"})).time() == 0);
  const Bound apart = limit(drawn({".x."}));
  CHECK(std::isinf(apart.time()));
  CHECK(apart.partition == std::vector<std::vector<CellId>>{{0}, {2}});
}

TEST_CASE("the limit of a complete graph is 2/n, and direct meets it") {
  const Topology topology = drawn({"..x", "..."}, Connectivity::complete);
  const Bound bound = limit(topology);
  CHECK(bound.time() == Approx(2.0 / 5));
  CHECK(shape(topology, policy("direct").plan(topology, {}).value()).link_load ==
        Approx(bound.time()));
  CHECK(certify(topology, {{0, 5}, {1, 3, 4}}).link_count == 6);
}

TEST_CASE("a partition that is none certifies nothing") {
  const Topology topology = drawn({"...", "...", "..x"});
  CHECK_NOTHROW(certify(topology, {{0, 1, 2, 3, 4, 5, 6, 7}}));
  CHECK_THROWS_AS(certify(topology, {{0, 1, 2, 3, 4, 5, 6}}), std::invalid_argument);
  CHECK_THROWS_AS(certify(topology, {{0, 1, 2, 3, 4, 5, 6, 7, 8}}), std::invalid_argument);
  CHECK_THROWS_AS(certify(topology, {{0, 1, 2, 3}, {3, 4, 5, 6, 7}}), std::invalid_argument);
  CHECK_THROWS_AS(certify(topology, {{0, 5}, {1, 2, 3, 4, 6, 7}}), std::invalid_argument);
  CHECK_THROWS_AS(certify(topology, {{0, 1, 2, 3, 4, 5, 6, 7}, {}}), std::invalid_argument);
}

TEST_CASE("no plan of any policy beats the limit") {
  std::mt19937 random(405);
  for (int round = 0; round < 300; ++round) {
    const Mesh mesh(static_cast<int>(1 + random() % 8), static_cast<int>(2 + random() % 8));
    const auto hole_count = static_cast<int>(random() % 5) * (mesh.cell_count() - 1) / 10;
    const Topology topology = with_random_holes(mesh, hole_count, random);
    if (topology.parts().size() > 1) continue;
    const double bound = limit(topology).time();
    for (const Policy* candidate : PolicyRegistry::instance().all()) {
      const auto plan = candidate->plan(topology, {});
      if (!plan.ok()) continue;
      INFO(candidate->name() << " round " << round);
      REQUIRE(shape(topology, plan.value()).link_load >= bound - 1e-12);
    }
  }
}
