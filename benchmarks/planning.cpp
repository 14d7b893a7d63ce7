// How long planning takes: every registered policy on meshes with and without holes.
//
// The limit T* is not part of it: nobody waits for it when a rank has died.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "detour/routing.hpp"
#include "medians.hpp"

namespace {

using namespace detour;

struct Scene {
  std::string name;
  std::shared_ptr<const Topology> topology;
};

Scene intact(std::int32_t side) {
  const Mesh mesh(side, side);
  return {"intact", std::make_shared<Topology>(mesh, FaultSet(mesh))};
}

// A lost host of four chips, as in the publication. On even rows and columns, so that every policy
// that needs aligned holes takes part.
Scene block(std::int32_t side) {
  const Mesh mesh(side, side);
  FaultSet faults(mesh);
  const std::int32_t corner = side / 4 * 2;
  for (std::int32_t row = corner; row < corner + 2; ++row) {
    for (std::int32_t col = corner; col < corner + 2; ++col) faults.fail(mesh.id({row, col}));
  }
  return {"block2x2", std::make_shared<Topology>(mesh, faults)};
}

// The first seed that leaves the mesh in one part: bridges are a different job.
Scene scattered(std::int32_t side, std::int32_t failed_count) {
  const Mesh mesh(side, side);
  for (std::uint32_t seed = 1;; ++seed) {
    std::mt19937 random(seed);
    FaultSet faults(mesh);
    while (faults.count() < failed_count) {
      faults.fail(static_cast<CellId>(random() % static_cast<std::uint32_t>(mesh.cell_count())));
    }
    auto topology = std::make_shared<Topology>(mesh, faults);
    if (topology->parts().size() == 1) {
      return {"scattered" + std::to_string(failed_count), std::move(topology)};
    }
  }
}

std::vector<Scene> scenes() {
  std::vector<Scene> all;
  for (const std::int32_t side : {8, 16, 32, 64}) {
    std::vector<Scene> of_side{intact(side), block(side), scattered(side, 8)};
    if (side == 64) of_side.push_back(scattered(side, 40));
    for (Scene& scene : of_side) {
      const std::string size = std::to_string(side) + "x" + std::to_string(side);
      all.push_back({size + "/" + scene.name, std::move(scene.topology)});
    }
  }
  return all;
}

void measure(benchmark::State& state, const Policy& policy, const Topology& topology) {
  const Request large_messages;
  const auto made = policy.plan(topology, large_messages);
  if (!made.ok()) {
    state.SkipWithError(made.reason().c_str());
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(policy.plan(topology, large_messages));
  const Shape shape_made = shape(topology, made.value());
  state.counters["time_M/B"] = predicted_time(shape_made, large_messages);
  state.counters["depth"] = shape_made.depth;
}

void add(const Policy& policy, const Scene& scene) {
  const std::string name = std::string(policy.name()) + "/" + scene.name;
  benchmark::RegisterBenchmark(
      name.c_str(),
      [&policy, scene](benchmark::State& state) { measure(state, policy, *scene.topology); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MinTime(0.05)
      ->Repetitions(5)
      ->DisplayAggregatesOnly(true);
}

// A policy that refuses some scenes says so once per reason, above the table.
void add_all(const Policy& policy) {
  std::map<std::string, std::string> refused;  // reason -> scenes
  for (const Scene& scene : scenes()) {
    const auto quote = policy.quote(*scene.topology, {});
    if (quote.ok()) {
      add(policy, scene);
    } else {
      refused[quote.reason()] += " " + scene.name;
    }
  }
  for (const auto& [reason, names] : refused) {
    std::cerr << policy.name() << " refuses" << names << ": " << reason << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const Policy* policy : PolicyRegistry::instance().all()) add_all(*policy);
  Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);
  benchmark::Shutdown();
}
