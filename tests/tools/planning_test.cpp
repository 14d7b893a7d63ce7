#include "planning.hpp"

#include <limits>

#include "detour_program.hpp"
#include "plan_table.hpp"
#include "support/meshes.hpp"

using namespace detour;
using namespace detour::test;
using namespace detour::tool;

TEST_CASE("a limit that is only a bound makes percentages bounds") {
  REQUIRE(percentage_of_limit({.time = 0.5, .exact = true}, 1) == "50.0 %");
  REQUIRE(percentage_of_limit({.time = 0.989, .exact = false}, 1) == "at least 98.9 %");
  const auto topology = intact(4, 4);
  REQUIRE(contains(compare_policies(topology, {}, {.time = 0.625, .exact = false}).text,
                   "  at least 62.5 %"));
}

TEST_CASE("no percentage where there is no limit, or nothing to do") {
  const double infinity = std::numeric_limits<double>::infinity();
  REQUIRE_FALSE(percentage_of_limit({.time = infinity}, 1));
  REQUIRE_FALSE(percentage_of_limit({.time = 0}, 0));
  REQUIRE_FALSE(percentage_of_limit({.time = 1}, infinity));
}

TEST_CASE("the tighter limit counts, and a bound stays a bound") {
  const auto topology = intact(4, 4);
  Bound bound = limit(topology);
  Request request;
  REQUIRE(tighter_limit(bound, topology, request).time == bound.time());
  REQUIRE_FALSE(tighter_limit(bound, topology, request).of_injection);
  request.machine.injection_bytes_per_us = request.machine.link_bytes_per_us;
  bound.exact = false;
  const Limit tighter = tighter_limit(bound, topology, request);
  REQUIRE(tighter.time == 1.875);
  REQUIRE(tighter.of_injection);
  REQUIRE_FALSE(tighter.exact);
}
