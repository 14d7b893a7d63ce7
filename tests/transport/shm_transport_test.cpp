// Whole operations over queues in shared memory, with threads and with processes.
#include "transport/shm_transport.hpp"

#include <thread>

#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "transport/shm_node.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// Every rank is a thread that runs the body; what it returns, if anything, fails the test.
template <class Body>
void run_as_threads(ShmNode& node, const Body& body) {
  std::vector<std::optional<std::string>> defects(static_cast<std::size_t>(node.rank_count()));
  {
    std::vector<std::jthread> threads;
    for (Rank rank = 0; rank < node.rank_count(); ++rank) {
      threads.emplace_back([&, rank] { defects[static_cast<std::size_t>(rank)] = body(rank); });
    }
  }
  for (const auto& defect : defects) CHECK(defect.value_or("") == "");
}

}  // namespace

TEST_CASE("threads sum over shared memory, operation after operation of all shapes") {
  for (const std::int32_t rank_count : {2, 3, 5, 8}) {
    ShmNode node(rank_count, std::size_t{8} << 20);
    const auto operations = random_operations(rank_count, {.operation_count = 60},
                                              static_cast<std::uint32_t>(rank_count));
    run_as_threads(node, [&](Rank rank) -> std::optional<std::string> {
      ShmRank self(node, rank);
      for (std::size_t at = 0; at < operations.size(); ++at) {
        if (auto defect = self.run(operations[at], 1)) {
          return "operation " + std::to_string(at) + ": " + *defect;
        }
      }
      return std::nullopt;
    });
  }
}

TEST_CASE("what attempts that were given up left behind never shows up") {
  for (const std::int32_t rank_count : {2, 4, 7}) {
    ShmNode node(rank_count, std::size_t{8} << 20);
    const auto operations = random_operations(rank_count, {.operation_count = 60},
                                              100 + static_cast<std::uint32_t>(rank_count));
    run_as_threads(node, [&](Rank rank) -> std::optional<std::string> {
      ShmRank self(node, rank);
      std::mt19937 random(static_cast<std::uint32_t>(rank));
      std::uint64_t epoch = 0;
      for (const SumOperation& operation : operations) {
        // Each rank gives up at another point, some of them before they have started.
        if (auto defect = self.begin(operation, ++epoch, random() % 4)) return defect;
        if (auto defect = self.run(operation, ++epoch)) return defect;
      }
      return std::nullopt;
    });
  }
}

TEST_CASE("processes sum over shared memory") {
  constexpr std::int32_t rank_count = 4;
  ShmNode node(rank_count, std::size_t{8} << 20);
  const auto operations = random_operations(rank_count, {.operation_count = 50}, 42);
  std::vector<ChildProcess> ranks;
  for (Rank rank = 0; rank < rank_count; ++rank) {
    ranks.emplace_back([&, rank] {
      ShmRank self(node, rank);
      for (const SumOperation& operation : operations) {
        if (self.run(operation, 1)) return 1;
      }
      return 0;
    });
  }
  for (ChildProcess& rank : ranks) CHECK(rank.wait() == 0);
}
