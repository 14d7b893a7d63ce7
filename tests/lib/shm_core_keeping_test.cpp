#include "shm/core_keeping.hpp"

#include <sched.h>

#include <array>
#include <atomic>
#include <thread>

#include "support/catch.hpp"

using namespace detour;

namespace {

// Members of a node that were seen on this core, and on none at all, which is as good as another one.
struct Node {
  std::array<Counter, 4> here;
  std::array<Counter, 2> elsewhere;
  int core = -1;

  // All counters are raised without moving to another core, which takes a few tries at worst.
  Node() {
    do {
      std::this_thread::yield();
      ++round;
      core = ::sched_getcpu();
      for (Counter& counter : here) counter.raise_to(round);
    } while (here.front().core() != core || here.back().core() != core);
  }

  std::uint64_t round = 0;
};

}  // namespace

TEST_CASE("a counter tells on which core it was last raised") {
  Counter counter;
  REQUIRE(counter.core() == -1);
  const Node node;
  for (const Counter& raised : node.here) REQUIRE(raised.core() == node.core);
  REQUIRE(node.elsewhere[0].core() == -1);
}

TEST_CASE("who waits leaves its core to those it waits for, and keeps it if they are elsewhere") {
  Node node;
  auto& [a, b, c, d] = node.here;
  const std::array<const Counter*, 4> counters{&a, &b, &c, &node.elsewhere[0]};
  const WaitList now{.counters = counters, .value = node.round};
  REQUIRE(may_keep_core(now, node.core));
  const WaitList next{.counters = counters, .value = node.round + 1};
  REQUIRE_FALSE(may_keep_core(next, node.core));
}

TEST_CASE("of two on a core nobody keeps it, unless all that are awaited have come") {
  Node node;
  const std::array<const Counter*, 3> counters{&node.here[0], &node.here[1], &node.elsewhere[0]};
  const WaitList awaited{.counters = counters, .value = node.round};
  REQUIRE_FALSE(may_keep_core(awaited, node.core));
  node.elsewhere[0].raise_to(node.round);
  REQUIRE(may_keep_core(awaited, node.core));
}

TEST_CASE("where there are signs those tell who has come") {
  Node node;
  std::atomic<std::uint64_t> posted{1}, missing{0};
  const std::array<const Counter*, 3> counters{&node.here[0], &node.here[1], &node.here[2]};
  const std::array<const WaitList::Sign*, 3> signs{&posted, &posted, &missing};
  const WaitList awaited{.counters = counters, .value = 1, .signs = signs};
  REQUIRE_FALSE(may_keep_core(awaited, node.core));
  missing = 1;
  REQUIRE(may_keep_core(awaited, node.core));
}

TEST_CASE("those who count themselves are asked for no counters") {
  constexpr int core = 1, other_core = 2;
  Arrivals arrivals;
  for (int comer = 0; comer < 3; ++comer) arrivals.arrive(1, core);
  for (int comer = 0; comer < 3; ++comer) arrivals.arrive(1, other_core);
  const Arrivals::Tally last = arrivals.tally(1);
  const WaitList awaited{.comers = {&arrivals, 2, 6, last}};
  REQUIRE_FALSE(may_keep_core(awaited, core));
  for (int comer = 0; comer < 3; ++comer) arrivals.arrive(2, core);
  REQUIRE(may_keep_core(awaited, core));
  REQUIRE_FALSE(may_keep_core(awaited, other_core));
  for (int comer = 0; comer < 3; ++comer) arrivals.arrive(2, other_core);
  REQUIRE(may_keep_core(awaited, other_core));
}

TEST_CASE("of two who come from a core neither keeps it before all have come") {
  constexpr int core = 0, other_core = 3;
  Arrivals arrivals;
  for (int comer = 0; comer < 2; ++comer) arrivals.arrive(1, core);
  const WaitList awaited{.comers = {&arrivals, 1, 4, arrivals.tally(1)}};
  REQUIRE_FALSE(may_keep_core(awaited, core));
  for (int comer = 0; comer < 2; ++comer) arrivals.arrive(1, other_core);
  REQUIRE(may_keep_core(awaited, core));
}
