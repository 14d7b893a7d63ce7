// How close plans come to the limit.
#include <algorithm>
#include <random>

#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

TEST_CASE("combs meet the limit on intact meshes of any size and parity") {
  for (std::int32_t rows = 1; rows <= 9; ++rows) {
    for (std::int32_t cols = 1; cols <= 9; ++cols) {
      const Mesh mesh(rows, cols);
      const Topology topology(mesh, FaultSet(mesh));
      if (mesh.cell_count() == 1) continue;
      const auto plan = policy("combs").plan(topology, {});
      REQUIRE(plan.ok());
      const LinkLoads loads(topology, plan.value());
      const Bound bound = limit(topology);
      INFO(rows << "x" << cols);
      REQUIRE(loads.load_max() * static_cast<std::uint64_t>(bound.link_count) ==
              plan.value().total_share * static_cast<std::uint64_t>(bound.part_count_minus_one));
      const auto quote = policy("combs").quote(topology, {});
      REQUIRE(quote.value().depth == shape(topology, plan.value()).depth);
      REQUIRE(quote.value().time == Approx(bound.time()));
    }
  }
}

namespace {

// How far above the limit `auto` ends on random connected meshes; those with a limit of 1 are left
// out, because every tree meets it.
std::vector<double> excesses(std::int32_t side, std::size_t count, std::mt19937& random) {
  std::vector<double> excess;
  while (excess.size() < count) {
    const Mesh mesh(side, side);
    const auto percent = static_cast<std::int32_t>(1 + random() % 10);
    const std::int32_t hole_count = std::max(1, mesh.cell_count() * percent / 100);
    const Topology topology = with_random_holes(mesh, hole_count, random);
    if (topology.parts().size() > 1) continue;
    const Bound bound = limit(topology);
    REQUIRE(bound.exact);
    if (bound.time() == 1) continue;
    const Plan plan = plan_by("auto", topology);
    excess.push_back(shape(topology, plan).link_load / bound.time() - 1);
  }
  std::sort(excess.begin(), excess.end());
  return excess;
}

void check_quality(std::int32_t side, const std::vector<double>& excess) {
  const auto exact_count =
      std::count_if(excess.begin(), excess.end(), [](double above) { return above < 1e-9; });
  WARN(side << "x" << side << ": of " << excess.size() << " meshes with a limit below 1, "
            << exact_count << " plans meet it; above it by " << 100 * excess[excess.size() / 2]
            << " % at the median, " << 100 * excess.back() << " % at most");
  CHECK(excess.back() <= 0.03);
  CHECK(exact_count * 10 >= std::ssize(excess) * 7);
}

}  // namespace

TEST_CASE("auto is within 3 % of the limit round random holes, and mostly meets it") {
  std::mt19937 random(1047);
  for (const std::int32_t side : {8, 12}) check_quality(side, excesses(side, 25, random));
}

TEST_CASE("auto is within 3 % of the limit round random holes of large meshes", "[exhaustive]") {
  std::mt19937 random(1046);
  for (const std::int32_t side : {8, 12, 16, 24, 32}) {
    check_quality(side, excesses(side, 60, random));
  }
}

TEST_CASE("auto is as good as the best policy for every message size and machine") {
  std::mt19937 random(1048);
  for (int round = 0; round < 60; ++round) {
    const Mesh mesh(static_cast<int>(2 + random() % 9), static_cast<int>(2 + random() % 9));
    const Topology topology = with_random_holes(mesh, static_cast<int>(random() % 4), random);
    Request request;
    request.bytes = std::uint64_t{1} << (10 + random() % 21);
    if (round % 3 == 0) request.machine.injection_bytes_per_us = 10'000;
    const auto time_of = [&](const Policy& candidate) {
      const auto plan = candidate.plan(topology, request);
      return plan.ok() ? predicted_time(shape(topology, plan.value()), request) : 1e9;
    };
    const double chosen = time_of(policy("auto"));
    for (const Policy* candidate : PolicyRegistry::instance().all()) {
      INFO("round " << round << ", " << mesh.rows() << "x" << mesh.cols() << ", " << *request.bytes
                    << " bytes: " << candidate->name());
      CHECK(chosen <= 1.02 * time_of(*candidate));
    }
  }
}
