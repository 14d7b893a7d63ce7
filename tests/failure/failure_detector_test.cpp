#include "failure/failure_detector.hpp"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>

#include "failure/node.hpp"
#include "support/catch.hpp"

using namespace detour;
using namespace detour::test;

namespace {

using Members = std::vector<std::size_t>;

void kill_all(Node& node, const Members& victims) {
  for (const std::size_t victim : victims) node.signal(victim, SIGKILL);
}

void require_found(Node& node, const Members& dead) {
  CAPTURE(dead);
  REQUIRE(eventually([&] { return node.all_others_see_dead(dead); }));
}

void kill_and_require_found(std::size_t size, const Members& victims,
                            const DetectorOptions& options = ring_only()) {
  Node node(size, options);
  kill_all(node, victims);
  require_found(node, victims);
}

Members all_but(std::size_t size, std::size_t survivor) {
  Members others;
  for (std::size_t member = 0; member < size; ++member) {
    if (member != survivor) others.push_back(member);
  }
  return others;
}

}  // namespace

TEST_CASE("the death of any process is found by all others") {
  for (std::size_t victim = 0; victim < 5; ++victim) kill_and_require_found(5, {victim});
}

TEST_CASE("neighbours that die together are found") {
  kill_and_require_found(6, {2, 3});
  kill_and_require_found(6, {3, 2});
  kill_and_require_found(6, {5, 0});
  kill_and_require_found(6, {4, 5, 0, 1});
}

TEST_CASE("processes apart from each other that die together are found") {
  kill_and_require_found(6, {0, 2, 4});
}

TEST_CASE("a lone survivor learns of all deaths") {
  for (std::size_t survivor = 0; survivor < 6; survivor += 2) {
    kill_and_require_found(6, all_but(6, survivor));
  }
  kill_and_require_found(2, {1});
}

TEST_CASE("deaths one after the other are found down to the last process") {
  Node node(6);
  Members dead;
  for (const std::size_t victim : {3U, 4U, 0U, 5U, 1U}) {
    node.signal(victim, SIGKILL);
    dead.push_back(victim);
    require_found(node, dead);
  }
}

// Nothing but the ring can find them here: the slices of sleep don't end.
TEST_CASE("random bursts of deaths are found by the ring alone") {
  std::mt19937 random(7);
  for (int round = 0; round < 25; ++round) {
    const std::size_t size = 2 + random() % 9;
    Members victims(size);
    for (std::size_t member = 0; member < size; ++member) victims[member] = member;
    std::shuffle(victims.begin(), victims.end(), random);
    victims.resize(1 + random() % (size - 1));
    Node node(size);
    for (const std::size_t victim : victims) {
      node.signal(victim, SIGKILL);
      for (volatile std::uint64_t left = random() % 100000; left > 0;) left = left - 1;
    }
    require_found(node, victims);
  }
}

TEST_CASE("deaths are found without a sleep on several words") {
  DetectorOptions options;
  options.may_sleep_on_several_words = false;
  kill_and_require_found(6, {1, 2, 5}, options);
  kill_and_require_found(4, all_but(4, 2), options);
}

TEST_CASE("a departure is no death") {
  Node node(4);
  node.ask(1, Request::depart);
  REQUIRE(eventually([&] { return node.seen(0, 1) == PeerState::departed; }));
  node.process(1).kill_and_wait();
  node.signal(2, SIGKILL);
  // By 0, which watches it now.
  REQUIRE(eventually([&] { return node.sees_dead(0, {2}) && node.sees_dead(3, {2}); }));
  REQUIRE(node.record(1).lock.life() == Life::departed);
}

TEST_CASE("a process that departs and ends at once is not taken for dead") {
  DetectorOptions options;  // with short slices, so that handles are looked at
  options.slice = std::chrono::milliseconds(1);
  options.slice_until_confirmed = std::chrono::milliseconds(1);
  Node node(4, options);
  for (const std::size_t member : {2U, 1U}) {
    node.ask(member, Request::depart);
    REQUIRE(eventually([&] { return node.has_answered(member); }));
    node.process(member).kill_and_wait();
  }
  for (const std::size_t member : {0U, 3U}) {
    REQUIRE(eventually([&] { return node.seen(member, 1) == PeerState::departed; }));
    REQUIRE(node.seen(member, 2) == PeerState::departed);
    REQUIRE(node.sees_dead(member, {}));
  }
}

TEST_CASE("who ends without departing has died") {
  for (const Request request : {Request::leave_by_exit, Request::leave_by_exec, Request::destroy}) {
    Node node(3);
    node.ask(1, request);
    REQUIRE(eventually([&] { return node.sees_dead(0, {1}) && node.sees_dead(2, {1}); }));
  }
}

TEST_CASE("neither a thread that ends nor a fork is a death") {
  Node node(3);
  for (const Request request : {Request::end_a_thread, Request::fork}) {
    node.ask(1, request);
    REQUIRE(eventually([&] { return node.has_answered(1); }));
    REQUIRE(node.record(1).lock.life() == Life::alive);
  }
  node.signal(2, SIGKILL);
  require_found(node, {2});  // by 1, which still watches
}

TEST_CASE("a death is confirmed when all threads have ended") {
  DetectorOptions options;
  options.slice = for_ever;
  Node node(4, options);
  node.signal(2, SIGKILL);
  for (const std::size_t member : {0U, 1U, 3U}) {
    REQUIRE(eventually([&] { return node.seen(member, 2) == PeerState::confirmed; }));
  }
}

TEST_CASE("those who watch keep one descriptor for each peer and no more") {
  Node small(2);
  Node large(5);
  REQUIRE(large.descriptor_count(0) == small.descriptor_count(0) + 3);
  const std::size_t before = large.descriptor_count(0);
  kill_all(large, {3, 4});
  require_found(large, {3, 4});
  REQUIRE(large.descriptor_count(0) <= before);
}

TEST_CASE("a stopped watcher holds up the news no longer than a slice") {
  DetectorOptions options;
  options.slice = std::chrono::milliseconds(50);
  Node node(4, options);
  node.signal(1, SIGSTOP);
  node.signal(2, SIGKILL);
  REQUIRE(eventually([&] { return node.sees_dead(0, {2}) && node.sees_dead(3, {2}); }));
  node.signal(1, SIGCONT);
  require_found(node, {2});
}

TEST_CASE("detection takes about a tenth of a millisecond") {
  std::vector<double> first_us, last_us;
  for (int round = 0; round < 15; ++round) {
    Node node(8);
    const auto killed = now();
    node.signal(3, SIGKILL);
    require_found(node, {3});
    const auto [first, last] = node.noticed(3);
    first_us.push_back(static_cast<double>((first - killed).count()) / 1e3);
    last_us.push_back(static_cast<double>((last - killed).count()) / 1e3);
  }
  std::sort(first_us.begin(), first_us.end());
  std::sort(last_us.begin(), last_us.end());
  std::printf(
      "8 processes, kill to first / last that knows: p50 %.0f / %.0f us, max %.0f / %.0f us\n",
      first_us[7], last_us[7], first_us.back(), last_us.back());
  // A second would be a slice, or luck.
  REQUIRE(last_us[7] < 1e6);
}

TEST_CASE("processes that only watch use next to no processor time") {
  DetectorOptions options;
  const auto start = now();
  double cpu_seconds = 0;
  {
    Node node(16, options, for_ever);
    std::this_thread::sleep_for(std::chrono::seconds(2));
    for (std::size_t member = 0; member < node.size(); ++member) {
      node.process(member).kill_and_wait();
      cpu_seconds += node.process(member).cpu_seconds();
    }
  }
  const double elapsed = static_cast<double>((now() - start).count()) / 1e9;
  std::printf("16 processes for %.1f s: %.1f ms of processor time, start and end included\n",
              elapsed, cpu_seconds * 1e3);
  REQUIRE(cpu_seconds < elapsed / 4);
}
