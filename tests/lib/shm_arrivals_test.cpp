#include "shm/arrivals.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

#include "shm/wait_list.hpp"
#include "support/catch.hpp"

using namespace detour;

TEST_CASE("whoever arrives learns how many have, and from which cores") {
  Arrivals arrivals;
  REQUIRE(arrivals.arrive(7, 0).all() == 1);
  REQUIRE(arrivals.arrive(7, 1).all() == 2);
  const Arrivals::Tally third = arrivals.arrive(7, 1);
  REQUIRE(third.all() == 3);
  REQUIRE(third.from(0) == 1);
  REQUIRE(third.from(1) == 2);
  REQUIRE(third.from(2) == 0);
}

TEST_CASE("there may be as many as can be counted, all from one core") {
  Arrivals arrivals;
  for (std::size_t count = 1; count <= Arrivals::count_max; ++count) {
    REQUIRE(arrivals.arrive(1, 3).all() == count);
  }
  const Arrivals::Tally all = arrivals.tally(1);
  REQUIRE(all.from(3) == Arrivals::count_max);
  REQUIRE(all.from(0) == 0);
}

TEST_CASE(
    "the first to come to an event begins anew, and who is late for the last one changes nothing") {
  Arrivals arrivals;
  arrivals.arrive(1, 0);
  arrivals.arrive(1, 1);
  REQUIRE(arrivals.arrive(2, 1).all() == 1);
  REQUIRE(arrivals.arrive(1, 0).all() == 0);
  REQUIRE(arrivals.tally(1).all() == 0);
  REQUIRE(arrivals.tally(2).all() == 1);
  REQUIRE(arrivals.tally(2).from(0) == 0);
}

TEST_CASE(
    "the word of an event has reached a value when so many have come, and no other event's has") {
  Arrivals arrivals;
  // The last one before the numbers that fit into the word begin anew is among them.
  const auto event = GENERATE(std::uint64_t{5}, (std::uint64_t{1} << 24) - 1);
  const auto have_come = [&](std::size_t count) {
    const WaitList::Shortcut shortcut{&arrivals.word(), Arrivals::value(event, count),
                                      Arrivals::span(count)};
    return shortcut.is_there();
  };
  arrivals.arrive(event - 1, 0);
  arrivals.arrive(event, 0);
  REQUIRE_FALSE(have_come(2));
  arrivals.arrive(event, 0);
  REQUIRE(have_come(2));
  REQUIRE_FALSE(have_come(3));
  REQUIRE(arrivals.arrive(event + 1, 2).all() == 1);
  REQUIRE_FALSE(have_come(1));
}

TEST_CASE("a word that was not used for long, or never, is as good as any") {
  const auto events_between =
      GENERATE(std::uint64_t{1} << 10, (std::uint64_t{1} << 23) + 2, (std::uint64_t{1} << 24) - 20);
  const auto is_used = GENERATE(true, false);
  Arrivals arrivals;
  if (is_used) {
    arrivals.arrive(10, 0);
    arrivals.arrive(10, 1);
  }
  const std::uint64_t event = 10 + events_between;
  const WaitList::Shortcut both_there{&arrivals.word(), Arrivals::value(event, 2),
                                      Arrivals::span(2)};
  REQUIRE_FALSE(both_there.is_there());
  REQUIRE(arrivals.arrive(event, 0).all() == 1);
  REQUIRE_FALSE(both_there.is_there());
  REQUIRE(arrivals.arrive(event, 0).all() == 2);
  REQUIRE(both_there.is_there());
}

TEST_CASE("no count goes beyond what can be counted") {
  Arrivals arrivals;
  for (std::size_t count = 0; count < Arrivals::count_max; ++count) arrivals.arrive(3, 0);
  REQUIRE(arrivals.arrive(3, 0).all() == 1);
}

TEST_CASE(
    "of those who come at the same time exactly one is the last, and sees what all had written") {
  constexpr std::size_t comer_count = 4;
  constexpr std::uint64_t event_count = 2000;
  Arrivals arrivals;
  std::array<std::atomic<std::uint64_t>, comer_count> written{};
  std::atomic<std::uint64_t> last_count{0}, unseen_count{0}, over{0};
  std::array<std::thread, comer_count> comers;
  for (std::size_t self = 0; self < comer_count; ++self) {
    comers[self] = std::thread([&, self] {
      for (std::uint64_t event = 1; event <= event_count; ++event) {
        written[self].store(event, std::memory_order_relaxed);
        if (arrivals.arrive(event, static_cast<int>(self)).all() == comer_count) {
          ++last_count;
          for (const auto& by : written) {
            if (by.load(std::memory_order_relaxed) != event) ++unseen_count;
          }
          over.store(event, std::memory_order_release);
        }
        while (over.load(std::memory_order_acquire) < event) std::this_thread::yield();
      }
    });
  }
  for (std::thread& comer : comers) comer.join();
  REQUIRE(last_count == event_count);
  REQUIRE(unseen_count == 0);
}
