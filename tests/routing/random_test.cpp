// Every policy on thousands of seeded random fault sets: lines, odd by odd, blocks, scattered
// holes, meshes in parts. A failure prints its seed: the test is the same every time.
#include <random>

#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

std::int32_t between(std::mt19937& random, std::int32_t low, std::int32_t high) {
  return low + static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(high - low + 1));
}

Mesh random_mesh(std::mt19937& random, std::int32_t side_max) {
  const std::int32_t side = between(random, 2, side_max);
  switch (between(random, 0, 4)) {
    case 0:
      return {1, side};
    case 1:
      return {side, 1};
    case 2:
      return {side | 1, between(random, 1, side_max) | 1};
    default:
      return {side, between(random, 2, side_max)};
  }
}

void fail_block(FaultSet& faults, const Mesh& mesh, std::mt19937& random) {
  const std::int32_t row = between(random, 0, mesh.rows() - 1);
  const std::int32_t col = between(random, 0, mesh.cols() - 1);
  const std::int32_t height = 2 * between(random, 1, 2);
  const std::int32_t width = 2 * between(random, 1, 2);
  for (std::int32_t r = row; r < std::min(row + height, mesh.rows()); ++r) {
    for (std::int32_t c = col; c < std::min(col + width, mesh.cols()); ++c) {
      faults.fail(mesh.id({r, c}));
    }
  }
}

// A wall that cuts the mesh in two, with or without a gate.
void fail_wall(FaultSet& faults, const Mesh& mesh, std::mt19937& random) {
  const std::int32_t col = between(random, 0, mesh.cols() - 1);
  const std::int32_t gate = between(random, -mesh.rows(), mesh.rows() - 1);
  for (std::int32_t row = 0; row < mesh.rows(); ++row) {
    if (row != gate) faults.fail(mesh.id({row, col}));
  }
}

FaultSet random_faults(const Mesh& mesh, std::mt19937& random) {
  FaultSet faults(mesh);
  switch (between(random, 0, 3)) {
    case 0:
      for (int block = between(random, 0, 3); block > 0; --block) fail_block(faults, mesh, random);
      break;
    case 1:
      fail_wall(faults, mesh, random);
      break;
    default:
      const std::int32_t percent = between(random, 0, 2) == 0 ? 60 : 12;
      const std::int32_t count = mesh.cell_count() * between(random, 0, percent) / 100;
      for (std::int32_t hole = 0; hole < count; ++hole) {
        faults.fail(between(random, 0, mesh.cell_count() - 1));
      }
  }
  return faults;
}

void try_everything(std::uint32_t seed, std::int32_t side_max) {
  std::mt19937 random(seed);
  const Mesh mesh = random_mesh(random, side_max);
  const FaultSet faults = random_faults(mesh, random);
  const bool bridges_allowed = between(random, 0, 4) != 0;
  const auto connectivity =
      between(random, 0, 9) == 0 ? Connectivity::complete : Connectivity::mesh;
  const Topology topology(mesh, faults, connectivity, bridges_allowed);
  Request request;
  if (between(random, 0, 1) == 0) request.bytes = std::uint64_t{1} << between(random, 2, 30);
  for (const Policy* candidate : PolicyRegistry::instance().all()) {
    const auto plan = candidate->plan(topology, request);
    INFO("seed " << seed << ", " << mesh.rows() << "x" << mesh.cols() << " less " << faults.count()
                 << ", " << candidate->name() << ": " << plan.reason());
    if (topology.live_count() == 0) {
      REQUIRE(plan.failed());
      continue;
    }
    REQUIRE_FALSE(plan.failed());
    if (plan.refused()) REQUIRE_FALSE(plan.reason().empty());
    if (candidate->name() == "auto" && topology.joinable()) REQUIRE(plan.ok());
    if (!plan.ok()) continue;
    REQUIRE_FALSE(find_defect(topology, plan.value()));
    const bool quoted = candidate->quote(topology, request).ok();
    REQUIRE(quoted);
    if (seed % 16 == 0) REQUIRE(candidate->plan(topology, request).value() == plan.value());
    if (seed % 64 == 0 && mesh.cell_count() <= 64) {
      REQUIRE_FALSE(oracle_defect(topology, plan.value()));
    }
  }
}

}  // namespace

TEST_CASE("every policy on random fault sets up to 10x10") {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) try_everything(seed, 10);
}

TEST_CASE("every policy on random fault sets up to 32x32", "[exhaustive]") {
  for (std::uint32_t seed = 100'000; seed < 102'000; ++seed) try_everything(seed, 32);
}
