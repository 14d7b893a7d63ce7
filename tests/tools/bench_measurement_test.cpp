// The measuring loop, with one rank and calls of the test's own.
#include <cstring>
#include <string>

#include "bench_loop.hpp"
#include "exit_status.hpp"
#include "support/catch.hpp"

using namespace detour::test;
using namespace detour::tool;

namespace {

// A call that does what `copy` does, but for the `spoilt`-th time something else.
template <class Spoil>
Contestant wrong_once(int spoilt, const Spoil& spoil) {
  return contestant("broken", [=, calls = 0](const void* send, void* receive, int count) mutable {
    if (calls++ == spoilt) return spoil(send, receive, count);
    return copy(send, receive, count);
  });
}

int do_nothing(const void*, void*, int) {
  return 0;
}

int spoil_last(const void* send, void* receive, int count) {
  copy(send, receive, count);
  static_cast<int*>(receive)[count - 1] += 1;
  return 0;
}

}  // namespace

TEST_CASE("bench loop: right results are measured, in place too") {
  for (const bool in_place : {false, true}) {
    Bench bench(true, in_place);
    const auto result = bench.run({contestant("copy", copy)}, 4000, {.warm_up = 5, .timed = 20});
    REQUIRE(result.bytes == 4000);
    REQUIRE(result.iteration_count == 20);
    REQUIRE(result.latencies.size() == 1);
    const Latency latency = result.latencies[0].value();
    REQUIRE(latency.p50_us <= latency.p99_us);
    REQUIRE(latency.avg_us > 0);
    REQUIRE(bench.peers.synchronised_count == 25);
    REQUIRE(bench.notes.empty());
  }
}

TEST_CASE("bench loop: contestants take turns, and the order turns round") {
  std::string order;
  const auto note = [&order](char letter) {
    return contestant(std::string(1, letter), [&order, letter](const void* s, void* r, int c) {
      order += letter;
      return copy(s, r, c);
    });
  };
  Bench bench;
  bench.run({note('a'), note('b'), note('c')}, 16, {.warm_up = 1, .timed = 4});
  // Tried out, warmed up, timed.
  REQUIRE(order ==
          "abc"
          "abc"
          "abccbaabccba");
}

TEST_CASE("bench loop: a wrong result in any call is noticed") {
  for (const std::uint64_t bytes : {4u, 64u, 4000u, 1u << 20}) {
    // One call to try out, two to warm up, five that count.
    for (const int spoilt : {0, 1, 2, 3, 5, 7}) {
      Bench bench;
      const auto run = [&](const Contestant& one) {
        bench.run({contestant("copy", copy), one}, bytes, {.warm_up = 2, .timed = 5});
      };
      INFO(bytes << " bytes, call " << spoilt);
      REQUIRE_THROWS_AS(run(wrong_once(spoilt, spoil_last)), Defect);
      REQUIRE_THROWS_AS(run(wrong_once(spoilt, do_nothing)), Defect);
    }
  }
}

TEST_CASE("bench loop: a twin is compared with the first, a fellow contestant is not") {
  Bench bench;
  Contestant twin = contestant("twin", copy);
  const auto fellows = bench.run({contestant("copy", copy), twin}, 64, {.warm_up = 0, .timed = 9});
  REQUIRE(!fellows.to_twin[0]);
  twin.series.role = SeriesRole::twin;
  const auto result = bench.run({contestant("copy", copy), twin}, 64, {.warm_up = 0, .timed = 9});
  REQUIRE(result.to_twin[0]);
  REQUIRE(!result.to_twin[1]);
  REQUIRE(result.to_twin[0]->ratio ==
          Approx(result.latencies[0]->p50_us / result.latencies[1]->p50_us));
  twin.call = [](const void*, void*, int) { return 1; };
  const auto alone = bench.run({contestant("copy", copy), twin}, 64, {.warm_up = 0, .timed = 9});
  REQUIRE(!alone.to_twin[0]);
}

TEST_CASE("bench loop: the input of a round before is no right input") {
  Bench bench;
  std::vector<std::byte> stale(4000);
  const auto repeat = [&](const void* send, void* receive, int count) {
    if (stale[0] == std::byte{0}) std::memcpy(stale.data(), send, 4000);
    std::memcpy(receive, stale.data(), 4 * static_cast<std::size_t>(count));
    return 0;
  };
  REQUIRE_THROWS_AS(bench.run({contestant("stale", repeat)}, 4000, {.warm_up = 0, .timed = 4}),
                    Defect);
}

TEST_CASE("bench loop: the complaint names series, size, rank, element and numbers") {
  Bench bench;
  const double right = decode(bench.type, bench.expected.element(15));
  const auto number = static_cast<int>(right);
  REQUIRE_THROWS_WITH(bench.run({wrong_once(0, spoil_last)}, 64, {.warm_up = 0, .timed = 1}),
                      "broken at 64 bytes: wrong result: rank 0, element 15: got " +
                          std::to_string(number + 1) + ", expected " + std::to_string(number));
}

TEST_CASE("bench loop: without validation nobody looks") {
  Bench bench(false);
  REQUIRE_NOTHROW(bench.run({contestant("idle", do_nothing)}, 4000, {.warm_up = 2, .timed = 5}));
}

TEST_CASE("bench loop: a contestant that can't is left out with a note") {
  Bench bench;
  const auto refuse = [](const void*, void*, int) { return 13; };
  const auto result = bench.run({contestant("no", refuse), contestant("copy", copy)}, 64,
                                {.warm_up = 1, .timed = 3});
  REQUIRE(!result.latencies[0]);
  REQUIRE(result.latencies[1].has_value());
  REQUIRE(bench.notes == std::vector<std::string>{"no is left out at 64 bytes: error 13"});
}

TEST_CASE("bench loop: an error in the midst of it is a defect") {
  Bench bench;
  const auto fail = [](const void*, void*, int) { return 13; };
  REQUIRE_THROWS_WITH(bench.run({wrong_once(3, fail)}, 64, {.warm_up = 1, .timed = 3}),
                      "broken at 64 bytes: rank 0: error 13");
}

TEST_CASE("bench loop: a budget of time decides on the number of rounds") {
  Bench bench;
  const auto few =
      bench.run({contestant("copy", copy)}, 1 << 20, {.warm_up = 3, .timed = 1, .budget_s = 1e-9});
  REQUIRE(few.iteration_count == 5);
  const auto more =
      bench.run({contestant("copy", copy)}, 1 << 20, {.warm_up = 3, .timed = 1, .budget_s = 0.2});
  REQUIRE(more.iteration_count > 5);
}
