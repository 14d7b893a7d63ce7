#include "support/catch.hpp"
#include "tune/built_in_way.hpp"
#include "tune/choice.hpp"
#include "tune_times.hpp"

using namespace detour;
using namespace detour::test;
using tool::choose;
using tool::SizeTimes;
using tool::Way;

namespace {

// With so many ranks messages of up to 384 KiB stay whole by the built-in table; from 3 MiB on they have pieces of 256 KiB.
constexpr int rank_count = 8;

const Way built_in_small = direct(whole_chunk, StoreChoice::automatic);
const Way built_in_large = direct(256 * kib, StoreChoice::automatic);

std::vector<Way> ways_of(const std::vector<tool::Choice>& choices) {
  std::vector<Way> ways;
  for (const tool::Choice& choice : choices) ways.push_back(choice.way);
  return ways;
}

// At a size at which the built-in way is `whole`.
Way choose_at_64k(const SizeTimes& size) {
  const auto choices = choose(job_of(rank_count, {size}));
  REQUIRE(choices.size() == 1);
  REQUIRE(choices.front().bytes == size.bytes);
  return choices.front().way;
}

void set_aside(tool::WayTimes& times) {
  times.out_of_place->of_trial = true;
  times.in_place->of_trial = true;
}

}  // namespace

TEST_CASE("tune choice: within noise the built-in table is followed") {
  const auto choices = choose(job_of(rank_count, {whole_and_64k(64 * kib, 10, 9.9, 0.05)}));
  REQUIRE(ways_of(choices) == std::vector{built_in_small});
  REQUIRE(choices.front().is_built_in);
  REQUIRE(choices.front().gain->ratio == Approx(1));
}

TEST_CASE("tune choice: what is clearly faster is taken") {
  const auto choices = choose(job_of(rank_count, {whole_and_64k(64 * kib, 10, 5, 0.05)}));
  REQUIRE(choices.front().way.chunk_bytes == 64 * kib);
  REQUIRE(!choices.front().is_built_in);
  REQUIRE(choices.front().gain->ratio == Approx(2));
  // Twice as fast, but who knows.
  REQUIRE(choose_at_64k(whole_and_64k(64 * kib, 10, 5, 2)) == built_in_small);
}

TEST_CASE("tune choice: what was taken at a size stays within noise at the next") {
  const auto choices = choose(
      job_of(rank_count, {whole_and_64k(32 * kib, 10, 5), whole_and_64k(64 * kib, 9.9, 10, 0.05),
                          whole_and_64k(128 * kib, 5, 10)}));
  REQUIRE(choices.size() == 3);
  REQUIRE(choices[0].way.chunk_bytes == 64 * kib);
  REQUIRE(choices[1].way == choices[0].way);
  REQUIRE(choices[2].way == built_in_small);
}

TEST_CASE("tune choice: what seems slower than the built-in way is not kept, noise or not") {
  const auto choices = choose(
      job_of(rank_count, {whole_and_64k(32 * kib, 10, 5), whole_and_64k(64 * kib, 9.5, 10, 0.2)}));
  REQUIRE(choices[0].way.chunk_bytes == 64 * kib);
  REQUIRE(choices[1].way == built_in_small);
}

TEST_CASE("tune choice: the built-in table is followed from line to line") {
  std::vector<SizeTimes> sizes;
  for (const std::uint64_t bytes : {64 * kib, 128 * kib, 4 * mib, 8 * mib}) {
    SizeTimes size = whole_and_64k(bytes, 10, 10, 0.05);
    add_direct(size, 256 * kib, 10, 0.05);
    sizes.push_back(size);
  }
  const auto choices = choose(job_of(rank_count, sizes));
  REQUIRE(ways_of(choices) ==
          std::vector{built_in_small, built_in_small, built_in_large, built_in_large});
  for (const tool::Choice& choice : choices) REQUIRE(choice.is_built_in);
}

TEST_CASE("tune choice: what takes over is the built-in way, unless that is slower too") {
  SizeTimes small = whole_and_64k(64 * kib, 10, 5);
  add_direct(small, 256 * kib, 10);
  SizeTimes large = whole_and_64k(4 * mib, 10, 20);
  add_direct(large, 256 * kib, 10.02, 0.01);
  REQUIRE(choose(job_of(rank_count, {small, large})).back().way == built_in_large);
  large = whole_and_64k(4 * mib, 10, 20);
  add_direct(large, 256 * kib, 15, 0.01);
  REQUIRE(choose(job_of(rank_count, {small, large})).back().way.chunk_bytes == whole_chunk);
}

TEST_CASE(
    "tune choice: where what was taken can't be measured any more, the built-in way is next") {
  SizeTimes small = whole_and_64k(64 * kib, 10, 10);
  small.ways.push_back(times({"ring", 64 * kib, StoreChoice::automatic}, 5, 5));
  SizeTimes large = whole_and_64k(4 * mib, 10, 20);
  add_direct(large, 256 * kib, 10.02);
  const auto choices = choose(job_of(rank_count, {small, large}));
  REQUIRE(choices[0].way.policy == "ring");
  REQUIRE(choices[1].way == built_in_large);
}

TEST_CASE("tune choice: stores that suit results apart from their inputs, in place, or both") {
  const Way cached = direct(64 * kib, StoreChoice::cached);
  const Way streamed = direct(64 * kib, StoreChoice::streamed);
  const auto choice = [&](const tool::WayTimes& by_caches, const tool::WayTimes& past_them) {
    SizeTimes size{.bytes = 64 * kib};
    add_direct(size, whole_chunk, 100);
    size.ways.push_back(by_caches);
    size.ways.push_back(past_them);
    return choose_at_64k(size);
  };
  REQUIRE(choice(times(cached, 5, 5), times(streamed, 9, 9)) == cached);
  REQUIRE(choice(times(cached, 9, 9), times(streamed, 5, 5)) == streamed);
  REQUIRE(choice(times(cached, 9, 5), times(streamed, 5, 9)) ==
          direct(64 * kib, StoreChoice::apart));
  // There is no word for it: the better of the three is taken.
  REQUIRE(choice(times(cached, 5, 9), times(streamed, 9, 6)) == cached);
  REQUIRE(choice(times(cached, 8, 9), times(streamed, 9, 6)) == streamed);
}

TEST_CASE("tune choice: the library's own stores are judged by what they come to") {
  using tool::usual_stores;
  REQUIRE(usual_stores(64 * kib - 4) == StoreChoice::cached);
  REQUIRE(usual_stores(64 * kib) == StoreChoice::apart);
  REQUIRE(usual_stores(8 * mib - 4) == StoreChoice::apart);
  REQUIRE(usual_stores(8 * mib) == StoreChoice::streamed);
  // At 64 KiB they are apart, which is fast here, and no other is as fast both ways.
  SizeTimes size{.bytes = 64 * kib};
  size.ways = {times(direct(whole_chunk, StoreChoice::cached), 20, 5),
               times(direct(whole_chunk, StoreChoice::streamed), 5, 20)};
  REQUIRE(choose_at_64k(size) == built_in_small);
  // Here they are the wrong ones.
  size.ways = {times(direct(whole_chunk, StoreChoice::cached), 5, 5),
               times(direct(whole_chunk, StoreChoice::streamed), 20, 20)};
  REQUIRE(choose_at_64k(size) == direct(whole_chunk, StoreChoice::cached));
}

TEST_CASE("tune choice: who was hopeless in the trial neither stays nor comes") {
  SizeTimes size = whole_and_64k(64 * kib, 10, 9, 3);
  REQUIRE(choose_at_64k(size) == built_in_small);
  set_aside(size.ways[0]);
  set_aside(size.ways[1]);
  REQUIRE(choose_at_64k(size).chunk_bytes == 64 * kib);
  size = whole_and_64k(64 * kib, 10, 2);
  set_aside(size.ways[2]);
  set_aside(size.ways[3]);
  REQUIRE(choose_at_64k(size) == built_in_small);
}

TEST_CASE("tune choice: a way needs both places, and a size without any is left out") {
  SizeTimes half = whole_and_64k(64 * kib, 10, 5);
  half.ways[2].in_place.reset();
  half.ways[3].out_of_place.reset();
  REQUIRE(choose_at_64k(half) == built_in_small);
  SizeTimes empty = whole_and_64k(128 * kib, 10, 5);
  for (tool::WayTimes& way : empty.ways) way.in_place.reset();
  REQUIRE(choose(job_of(rank_count, {half, empty})).size() == 1);
}

TEST_CASE("tune choice: without the built-in way there is no gain to speak of") {
  SizeTimes size{.bytes = 64 * kib};
  size.ways.push_back(times({"ring", 64 * kib, StoreChoice::automatic}, 5, 5));
  const auto choices = choose(job_of(rank_count, {size}));
  REQUIRE(choices.front().way.policy == "ring");
  REQUIRE(!choices.front().gain);
}
