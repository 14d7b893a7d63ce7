#include "shm/counter.hpp"

#include <sched.h>
#include <signal.h>

#include <array>
#include <random>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// Two sides that raise their own counter in turn and sleep until the other's follows.
struct Pair {
  std::array<Counter, 2> counters;
  std::array<std::uint64_t, 2> notes{};  // plain memory, that the counters have to publish
};

struct Play {
  std::uint64_t turn_count = 0;
  std::uint32_t dither_max = 0;  // of the random delay before going to sleep, in empty loops
  bool with_naps = false;        // of up to 50 us, now and then
};

void dither(std::mt19937& random, const Play& play) {
  for (volatile std::uint64_t left = random() % (play.dither_max + 1); left > 0;) left = left - 1;
  if (play.with_naps && random() % 16 == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 50));
  }
}

// False if a wake-up was lost. A sleep of this length without one can't be by chance.
bool sleep_until(const Counter& counter, std::uint64_t value) {
  while (counter.load() < value) {
    const bool in_time = counter.sleep_while_below(value, std::chrono::seconds(3));
    if (!in_time && counter.load() >= value) return false;
  }
  return true;
}

// 0 if all went well, 1 for a lost wake-up, 2 for memory that was not published.
int play(Pair& pair, std::size_t side, const Play& rules) {
  std::mt19937 random(static_cast<std::uint32_t>(side));
  const std::size_t other = 1 - side;
  for (std::uint64_t turn = 1; turn <= rules.turn_count; ++turn) {
    if (side == 0) {
      pair.notes[side] = turn * 3;
      pair.counters[side].raise_to(turn);
    }
    dither(random, rules);
    if (!sleep_until(pair.counters[other], turn)) return 1;
    if (pair.notes[other] != turn * 3) return 2;
    if (side == 1) {
      pair.notes[side] = turn * 3;
      pair.counters[side].raise_to(turn);
    }
  }
  return 0;
}

void play_in_processes(std::size_t pair_count, const Play& rules) {
  std::vector<std::shared_ptr<Pair>> pairs;
  std::vector<ChildProcess> players;
  for (std::size_t index = 0; index < pair_count; ++index) {
    pairs.push_back(make_shared_scratch<Pair>());
    for (const std::size_t side : {0U, 1U}) {
      players.emplace_back([&] { return play(*pairs.back(), side, rules); });
    }
  }
  for (auto& player : players) REQUIRE(player.wait() == 0);
}

// Keeps this process on one of the cores that it may use: the first or the last.
void stay_on_core(bool first) {
  cpu_set_t allowed, chosen;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  CPU_ZERO(&chosen);
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed) || (first && CPU_COUNT(&chosen) > 0)) continue;
    CPU_ZERO(&chosen);
    CPU_SET(core, &chosen);
  }
  ::sched_setaffinity(0, sizeof chosen, &chosen);
}

}  // namespace

TEST_CASE("a counter starts at zero and shows what it was raised to") {
  alignas(Counter) std::array<std::byte, sizeof(Counter)> place;
  place.fill(std::byte{0xff});
  Counter& counter = Counter::create_at(place.data());
  REQUIRE(counter.load() == 0);
  counter.raise_to(std::uint64_t{1} << 40);
  REQUIRE(Counter::at(place.data()).load() == std::uint64_t{1} << 40);
}

TEST_CASE("nobody goes to sleep over a value that is there") {
  Counter counter;
  counter.raise_to(5);
  REQUIRE(counter.sleep_while_below(5, std::chrono::hours(1)));
}

TEST_CASE("a sleep ends when its time is over") {
  const Counter counter;
  REQUIRE_FALSE(counter.sleep_while_below(1, std::chrono::milliseconds(5)));
  REQUIRE_FALSE(counter.sleep_while_below(1, std::chrono::milliseconds(-5)));
}

TEST_CASE("sleepers can be woken without a raise") {
  const auto counter = make_shared_scratch<Counter>();
  ChildProcess sleeper(
      [&] { return counter->sleep_while_below(1, std::chrono::seconds(60)) ? 7 : 8; });
  ChildProcess waker([&] {
    // More than once: the sleeper may not be asleep yet.
    for (;;) {
      counter->wake();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return 0;
  });
  REQUIRE(sleeper.wait() == 7);
}

TEST_CASE("one raise wakes every sleeper") {
  const auto counter = make_shared_scratch<Counter>();
  std::vector<ChildProcess> sleepers;
  for (int index = 0; index < 12; ++index) {
    sleepers.emplace_back([&] { return sleep_until(*counter, 1) ? 0 : 1; });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  counter->raise_to(1);
  for (auto& sleeper : sleepers) REQUIRE(sleeper.wait() == 0);
}

TEST_CASE("a sleeper that was killed does not keep others from being woken") {
  const auto counter = make_shared_scratch<Counter>();
  const auto sleep = [&] { return sleep_until(*counter, 1) ? 0 : 1; };
  ChildProcess victim(sleep);
  ChildProcess survivor(sleep);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  REQUIRE(victim.kill_and_wait() == -SIGKILL);
  counter->raise_to(1);
  REQUIRE(survivor.wait() == 0);
}

TEST_CASE("two processes take 100000 turns without a lost wake-up") {
  play_in_processes(1, {.turn_count = 100000, .dither_max = 2000});
}

TEST_CASE("eight processes on few cores take turns without a lost wake-up") {
  play_in_processes(4, {.turn_count = 15000, .dither_max = 500});
}

TEST_CASE("processes that nap at random take turns without a lost wake-up") {
  play_in_processes(4, {.turn_count = 3000, .dither_max = 500, .with_naps = true});
}

// Wrong memory orders show only if both sides act within the same few nanoseconds.
TEST_CASE("a raise and a sleep at the same moment don't miss each other") {
  constexpr std::uint64_t round_count = 200000;
  struct Sides {
    Counter tested;
    Counter raiser_is_ready, sleeper_is_ready;
  };
  const auto sides = make_shared_scratch<Sides>();
  const auto meet = [](Counter& own, const Counter& other, std::uint64_t round) {
    own.raise_to(round);
    for (int look = 1; other.load() < round; ++look) {
      if (look % 1000 == 0) std::this_thread::yield();
    }
  };
  ChildProcess raiser([&] {
    stay_on_core(true);
    for (std::uint64_t round = 1; round <= round_count; ++round) {
      meet(sides->raiser_is_ready, sides->sleeper_is_ready, round);
      for (volatile std::uint64_t left = round % 32; left > 0;) left = left - 1;
      sides->tested.raise_to(round);
    }
    return 0;
  });
  ChildProcess sleeper([&] {
    stay_on_core(false);
    for (std::uint64_t round = 1; round <= round_count; ++round) {
      meet(sides->sleeper_is_ready, sides->raiser_is_ready, round);
      for (volatile std::uint64_t left = round / 32 % 32; left > 0;) left = left - 1;
      if (!sleep_until(sides->tested, round)) return 1;
    }
    return 0;
  });
  REQUIRE(sleeper.wait() == 0);
  REQUIRE(raiser.wait() == 0);
}

// The same among threads, where a sanitizer sees both sides.
TEST_CASE("two threads take turns without a lost wake-up") {
  Pair pair;
  const Play rules{.turn_count = 20000, .dither_max = 500};
  int second_result = -1;
  std::thread second([&] { second_result = play(pair, 1, rules); });
  const int first_result = play(pair, 0, rules);
  second.join();
  REQUIRE(first_result == 0);
  REQUIRE(second_result == 0);
}
