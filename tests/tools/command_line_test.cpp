#include "detour_program.hpp"

using namespace detour::test;

TEST_CASE("an unknown command is named, with the nearest or with all") {
  REQUIRE(complaint_of("frob", 2) ==
          "unknown command 'frob'; there are: plan, policies, info, bench, tune");
  REQUIRE(complaint_of("PLAN", 2) == "unknown command 'PLAN'; did you mean 'plan'?");
  REQUIRE(complaint_of("plan-", 2) == "unknown command 'plan-'; did you mean 'plan'?");
  REQUIRE(complaint_of("''", 2) ==
          "unknown command ''; there are: plan, policies, info, bench, tune");
  REQUIRE(complaint_of("help frob", 2) ==
          "unknown command 'frob'; there are: plan, policies, info, bench, tune");
  REQUIRE(complaint_of("", 2) ==
          "say what to do: 'detour plan', 'detour policies', 'detour info', 'detour bench' or "
          "'detour tune'; 'detour --help' tells more");
}

TEST_CASE("an unknown option is named, with the nearest") {
  REQUIRE(complaint_of("-V", 2) == "unknown option '-V'; did you mean '--version'?");
  REQUIRE(complaint_of("plan -m 8x8", 2) == "unknown option '-m'; did you mean '--mesh'?");
  REQUIRE(complaint_of("plan --mesh8x8", 2) ==
          "unknown option '--mesh8x8'; did you mean '--mesh'?");
  REQUIRE(complaint_of("plan --mesh 4x4 --polcy ring", 2) ==
          "unknown option '--polcy'; did you mean '--policy'?");
  REQUIRE(complaint_of("plan --mesh 4x4 --polcy=ring", 2) ==
          "unknown option '--polcy'; did you mean '--policy'?");
}

TEST_CASE("options are given once, those that add up excepted") {
  REQUIRE(complaint_of("plan --mesh 8x8 --mesh 4x4", 2) == "--mesh is given twice");
  REQUIRE(complaint_of("plan --mesh=8x8 --policy tree --mesh 8x8", 2) == "--mesh is given twice");
  output_of("plan --mesh 4x4 --fail 0,0 --fail=1,1 --ascii --ascii");
}

TEST_CASE("values are neither missing nor too many") {
  REQUIRE(complaint_of("plan --mesh 4x4 --fail", 2) == "--fail needs a value: --fail R,C");
  REQUIRE(complaint_of("plan --mesh --fail 1,1", 2) == "--mesh needs a value: --mesh ROWSxCOLS");
  REQUIRE(complaint_of("plan --mesh 4x4 --policy=", 2) == "--policy needs a value: --policy NAME");
  REQUIRE(complaint_of("plan --mesh 4x4 --fail 1,1 2,2", 2) == "unexpected word '2,2'");
  REQUIRE(complaint_of("plan --mesh 4x4 --ascii=1", 2) == "--ascii takes no value");
}

TEST_CASE("empty values are bad input") {
  for (const char* option : {"--latency-us", "--bandwidth", "--injection", "--overhead-us",
                             "--trees", "--bytes", "--chunk-bytes", "--fail", "--svg", "--color"}) {
    const auto complaint = complaint_of("plan --mesh 4x4 " + std::string(option) + " ''", 2);
    REQUIRE(contains(complaint, "''"));
  }
}

TEST_CASE("options that contradict each other or change nothing are bad input") {
  REQUIRE(complaint_of("plan --mesh 4x4 --table --policy tree", 2) ==
          "--table compares all policies: leave --policy out");
  REQUIRE(complaint_of("plan --mesh 4x4 --policy tree --trees 2", 2) ==
          "--trees means something to the policies 'trees' and 'auto', but not to 'tree'");
  REQUIRE(complaint_of("plan --mesh 4x4 --trees 2", 2, {.environment = {"DETOUR_POLICY=ring"}}) ==
          "--trees means something to the policies 'trees' and 'auto', but not to 'ring'");
  output_of("plan --mesh 4x4 --trees 2");
  output_of("plan --mesh 4x4 --trees 2 --table");
  REQUIRE(complaint_of("plan --mesh 4x4 --json --table", 2) ==
          "--table and --json can't be had at once");
  for (const char* other : {"--json", "--table", "--proof"}) {
    REQUIRE(contains(complaint_of("plan --mesh 4x4 --svg - " + std::string(other), 2),
                     "--svg - takes standard output for itself"));
  }
  REQUIRE(contains(complaint_of("plan --mesh 4x4 --proof --json", 2), "limit_partition"));
}
