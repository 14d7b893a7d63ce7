#include "alternation/size_summary.hpp"

#include "support/catch.hpp"
#include "support/five_series.hpp"

using namespace detour::tool;
using detour::test::five_series;

namespace {

Calls calls_of(double us, std::size_t count = 20) {
  return {.us = std::vector<double>(count, us)};
}

}  // namespace

TEST_CASE("summary: ratios are to the peer with the fastest median") {
  // Its mean is worse than the other's.
  Calls spiky = calls_of(6);
  spiky.us.front() = 1000;
  const ComparedSize size = summarise(
      1024, five_series, std::vector{calls_of(2), calls_of(1), calls_of(8), spiky, calls_of(0.5)});
  REQUIRE(size.bytes == 1024);
  REQUIRE(size.standings.size() == 2);
  REQUIRE(size.standings[0].to_best_peer->ratio == Approx(3));
  REQUIRE(size.standings[1].to_best_peer->ratio == Approx(6));
  REQUIRE(size.standings[0].to_limit->ratio == Approx(0.25));
  REQUIRE(size.best_peer_to_limit->ratio == Approx(12));
  REQUIRE(size.medians[2]->us == Approx(8));
  REQUIRE(size.medians[2]->call_count == 20);
}

TEST_CASE("summary: what buffers of a kind have to go through stands beside the limit") {
  std::vector<Series> series = five_series;
  series.push_back({"exchange", Role::exchange, Buffers::any});
  series.push_back({"exchange, streaming", Role::exchange, Buffers::any});
  series.push_back({"mapped sum", Role::exchange, Buffers::shared});
  const ComparedSize size =
      summarise(1024, series,
                std::vector{calls_of(4), calls_of(3), calls_of(8), calls_of(6), calls_of(1),
                            calls_of(3), calls_of(2), calls_of(1.5)});
  REQUIRE(size.best_peer_to_limit->ratio == Approx(6));
  REQUIRE(size.standings[0].best_peer_to_exchange->ratio == Approx(3));
  REQUIRE(size.standings[0].limit_to_exchange->ratio == Approx(0.5));
  REQUIRE(size.standings[1].best_peer_to_exchange->ratio == Approx(4));
  REQUIRE(size.standings[1].limit_to_exchange->ratio == Approx(1 / 1.5));
  REQUIRE(size.standings[0].to_limit->ratio == Approx(0.25));
}

TEST_CASE("summary: who was set aside after the trial is shown, but is no yardstick") {
  Calls aside = calls_of(1, 3);
  aside.in_the_running = false;
  const ComparedSize size = summarise(
      4, five_series, std::vector{calls_of(2), calls_of(2), aside, calls_of(6), calls_of(1)});
  REQUIRE(size.standings[0].to_best_peer->ratio == Approx(3));
  REQUIRE(size.medians[2]->us == Approx(1));
  REQUIRE(size.medians[2]->call_count == 3);
  REQUIRE(size.medians[2]->of_trial);
}

TEST_CASE("summary: who could not do it has no figures") {
  const ComparedSize size =
      summarise(4, five_series, std::vector{calls_of(2), Calls{}, Calls{}, Calls{}, Calls{}});
  REQUIRE(size.standings.size() == 1);
  REQUIRE(!size.standings[0].to_best_peer);
  REQUIRE(!size.standings[0].to_limit);
  REQUIRE(!size.best_peer_to_limit);
  REQUIRE(!size.standings[0].best_peer_to_exchange);
  REQUIRE(!size.standings[0].limit_to_exchange);
  REQUIRE(!size.medians[1]);
}

TEST_CASE("summary: the bounds of a median are its neighbours, nearer the more there are") {
  Calls calls;
  for (int us = 1; us <= 100; ++us) calls.us.push_back(us);
  const std::vector<Series> one{{"detour", Role::detour, Buffers::any}};
  const Median median = *summarise(4, one, std::vector{calls}).medians[0];
  REQUIRE(median.us == 50);
  REQUIRE(median.low_us == 40);
  REQUIRE(median.high_us == 61);
  calls.us = {3, 1, 2};
  const Median few = *summarise(4, one, std::vector{calls}).medians[0];
  REQUIRE(few.us == 2);
  REQUIRE(few.low_us == 1);
  REQUIRE(few.high_us == 3);
}

TEST_CASE("summary: a peer is hopeless at more than so many times the fastest") {
  const std::vector<double> peers{10, 4, 8};
  REQUIRE(!is_hopeless(8, peers, 2));
  REQUIRE(is_hopeless(8.1, peers, 2));
  REQUIRE(!is_hopeless(4, peers, 2));
}
