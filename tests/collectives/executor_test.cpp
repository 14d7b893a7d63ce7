// Programs and the executor over the simulated network: every contribution once in every result,
// whatever the plan, the sizes, and the order in which messages arrive.
#include "collectives/executor.hpp"

#include <cstring>
#include <random>

#include "collectives/program.hpp"
#include "collectives/rank_flow.hpp"
#include "support/catch.hpp"
#include "support/plans.hpp"
#include "transport/sim_transport.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// An element is a list of how often each rank's contribution is in it: sums of these show exactly
// what was combined with what.
class Census final : public Combiner {
 public:
  explicit Census(std::int32_t rank_count) : rank_count_(static_cast<std::size_t>(rank_count)) {}
  std::size_t element_bytes() const override { return rank_count_; }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override {
    for (std::size_t at = 0; at < element_count * rank_count_; ++at) {
      unsigned sum = 0;
      for (const std::byte* input : inputs) sum += std::to_integer<unsigned>(input[at]);
      result[at] = static_cast<std::byte>(sum);
    }
  }

 private:
  std::size_t rank_count_;
};

struct World {
  std::vector<Program> programs;
  std::vector<std::vector<std::byte>> data;
  std::vector<std::unique_ptr<Transport>> transports;
  std::vector<Executor> executors;
};

// All ranks in place; true if all finished.
bool run(World& world, SimNetwork& network) {
  for (;;) {
    bool moved = false;
    bool finished = true;
    for (std::size_t count = world.executors.size(); count > 0; --count) {
      const auto at = network.random()() % world.executors.size();
      moved |= world.executors[at].step() == Executor::Progress::moved;
    }
    for (Executor& executor : world.executors) {
      const auto progress = executor.step();
      moved |= progress == Executor::Progress::moved;
      finished &= progress == Executor::Progress::finished;
    }
    if (finished) return true;
    for (auto count = network.random()() % 8; count > 0; --count) moved |= network.deliver_one();
    if (!moved && !network.deliver_one()) return false;
  }
}

void check_allreduce(const std::vector<RankFlow>& flows, std::int32_t rank_count,
                     std::uint64_t element_count, std::uint64_t chunk_elements,
                     std::uint32_t seed) {
  REQUIRE(find_flow_defect(flows, rank_count, element_count).value_or("") == "");
  const Census census(rank_count);
  const std::size_t row = static_cast<std::size_t>(rank_count);
  SimNetwork network(seed);
  World world;
  for (Rank rank = 0; rank < rank_count; ++rank) {
    world.programs.push_back(make_program(flows, rank, rank_count, chunk_elements));
    std::vector<std::byte> data(element_count * row);
    for (std::uint64_t at = 0; at < element_count; ++at) {
      data[at * row + static_cast<std::size_t>(rank)] = std::byte{1};
    }
    world.data.push_back(std::move(data));
  }
  for (const Program& program : world.programs)
    world.transports.push_back(network.connect(program));
  for (std::size_t at = 0; at < row; ++at) {
    world.executors.emplace_back(world.programs[at], census, *world.transports[at],
                                 Buffers{world.data[at].data(), world.data[at].data()});
  }
  REQUIRE(run(world, network));
  const std::vector<std::byte> all_once(element_count * row, std::byte{1});
  for (const auto& data : world.data) REQUIRE(data == all_once);
}

}  // namespace

TEST_CASE("every policy's plan sums every contribution once, under any order of messages") {
  std::mt19937 random(31);
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const Mesh mesh(static_cast<int>(1 + random() % 4), static_cast<int>(1 + random() % 4));
    const auto hole_count = static_cast<std::int32_t>(random() % 3) % mesh.cell_count();
    const Topology topology = with_random_holes(mesh, hole_count, random);
    const CellMap cells = CellMap::one_rank_per_cell(topology);
    for (const Policy* candidate : PolicyRegistry::instance().all()) {
      const auto plan = candidate->plan(topology, {});
      if (!plan.ok()) continue;
      const std::uint64_t element_count = random() % 40;
      const std::uint64_t chunk_elements = 1 + random() % 5;
      INFO("seed " << seed << " " << candidate->name() << " on " << mesh.rows() << "x"
                   << mesh.cols() << ", " << element_count << " elements in chunks of "
                   << chunk_elements);
      check_allreduce(expand_plan(plan.value(), cells, element_count), topology.live_count(),
                      element_count, chunk_elements, seed);
    }
  }
}

TEST_CASE("cells of several ranks sum every contribution once") {
  std::mt19937 random(77);
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Mesh mesh(static_cast<int>(1 + random() % 3), static_cast<int>(1 + random() % 3));
    const Topology topology = with_random_holes(
        mesh, static_cast<std::int32_t>(random() % 2) % mesh.cell_count(), random);
    std::vector<std::vector<Rank>> ranks(static_cast<std::size_t>(mesh.cell_count()));
    Rank next = 0;
    for (const CellId cell : topology.live_cells()) {
      for (auto count = 1 + random() % 3; count > 0; --count) {
        ranks[static_cast<std::size_t>(cell)].push_back(next++);
      }
    }
    const CellMap cells(ranks);
    const std::uint64_t element_count = random() % 50;
    INFO("seed " << seed);
    check_allreduce(expand_plan(plan_by("auto", topology), cells, element_count), next,
                    element_count, 1 + random() % 4, seed);
  }
}

TEST_CASE("a large mesh with holes and many chunks in flight") {
  const Topology topology = with_block(Mesh(6, 6), {2, 2}, 2, 2);
  for (const char* name : {"trees", "ring", "ring2d", "tree"}) {
    INFO(name);
    check_allreduce(expand_plan(plan_by(name, topology), CellMap::one_rank_per_cell(topology), 700),
                    topology.live_count(), 700, 3, 5);
  }
}
