// A counter that many ring and one sleeps on.
#include <array>
#include <thread>
#include <vector>

#include "shm/counter.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace detour;
using namespace detour::test;

namespace {

constexpr std::uint64_t ring_count = 20000;

// True if every sleep ended because somebody rang: a lost wake-up would sleep for the whole time.
bool hears_all(const Counter& bell, std::uint64_t count) {
  for (std::uint64_t seen = bell.load(); seen < count; seen = bell.load()) {
    if (!bell.sleep_while_below(seen + 1, std::chrono::seconds(60))) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("threads that ring at the same time are all counted, and wake the sleeper") {
  Counter bell;
  std::vector<std::jthread> ringers;
  for (int ringer = 0; ringer < 4; ++ringer) {
    ringers.emplace_back([&] {
      for (std::uint64_t at = 0; at < ring_count; ++at) bell.add_one();
    });
  }
  CHECK(hears_all(bell, 4 * ring_count));
}

TEST_CASE("two that sleep and ring in turns never miss each other") {
  const auto bells = make_shared_scratch<std::array<Counter, 2>>();
  Counter& mine = (*bells)[0];
  Counter& theirs = (*bells)[1];
  ChildProcess other([&] {
    for (std::uint64_t at = 1; at <= ring_count; ++at) {
      if (!hears_all(theirs, at)) return 1;
      mine.add_one();
    }
    return 0;
  });
  for (std::uint64_t at = 1; at <= ring_count; ++at) {
    theirs.add_one();
    REQUIRE(hears_all(mine, at));
  }
  CHECK(other.wait() == 0);
}
