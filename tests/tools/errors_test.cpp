#include <filesystem>

#include "detour_program.hpp"

using namespace detour::test;

TEST_CASE("bad input gets one line and exit status 2") {
  const std::string mesh = "plan --mesh 4x4 --policy tree ";
  for (const std::string& arguments : {std::string(),
                                       std::string("plan"),
                                       std::string("bogus"),
                                       std::string("plan --policy tree"),
                                       std::string("plan --mesh 0x4 --policy tree"),
                                       std::string("plan --mesh 8 --policy tree"),
                                       std::string("plan --mesh axb --policy tree"),
                                       std::string("plan --mesh 9999x9999 --policy tree"),
                                       std::string("policies extra"),
                                       mesh + "--bogus",
                                       mesh + "--fail 4,0",
                                       mesh + "--fail 0,4",
                                       mesh + "--fail 2-1,0",
                                       mesh + "--fail x",
                                       mesh + "--fail",
                                       mesh + "--fail -1,0",
                                       mesh + "--fail 0-3,0-3",
                                       mesh + "--bytes 0",
                                       mesh + "--bytes 1Q",
                                       mesh + "--trees x",
                                       mesh + "--trees 0",
                                       mesh + "--bytes 1K --latency-us x",
                                       mesh + "--bytes 1K --latency-us -1",
                                       mesh + "--latency-us 1",
                                       mesh + "--bandwidth 1",
                                       mesh + "--injection 0",
                                       mesh + "--color blue",
                                       mesh + "--json --table",
                                       mesh + "--policy-path /nowhere",
                                       mesh + "extra"}) {
    const auto complaint = complaint_of(arguments, 2);
    REQUIRE(complaint.size() > 10);
  }
}

TEST_CASE("an unknown policy is answered with the nearest name") {
  REQUIRE(complaint_of("plan --mesh 4x4 --policy tres", 2) ==
          "unknown policy 'tres'; did you mean 'trees'?");
  REQUIRE(complaint_of("plan --mesh 4x4", 2, {.environment = {"DETOUR_POLICY=dierct"}}) ==
          "unknown policy 'dierct'; did you mean 'direct'?");
}

TEST_CASE("a policy that resembles none is answered with all names") {
  const std::string all = "; there are: auto, combs, direct, ring, ring2d, tree, trees";
  REQUIRE(complaint_of("plan --mesh 4x4 --policy nope", 2) == "unknown policy 'nope'" + all);
  REQUIRE(complaint_of("plan --mesh 4x4 --policy ''", 2) == "unknown policy ''" + all);
}

TEST_CASE("a complaint stays one line whatever it quotes") {
  REQUIRE(complaint_of("plan --mesh 4x4 --policy com\nbs", 2) ==
          "unknown policy 'com bs'; did you mean 'combs'?");
}

TEST_CASE("everything failed is said in so many words") {
  REQUIRE(complaint_of("plan --mesh 2x2 --fail 0-1,0-1", 2) ==
          "every cell of the mesh has failed: nothing is left to plan for");
}

TEST_CASE("an unknown setting is an error of every subcommand") {
  const ProgramOptions options{.environment = {"DETOUR_POLICYS=x"}};
  const std::string expected = "unknown setting DETOUR_POLICYS; did you mean DETOUR_POLICY?";
  REQUIRE(complaint_of("plan --mesh 4x4 --policy tree", 2, options) == expected);
  REQUIRE(complaint_of("policies", 2, options) == expected);
}

TEST_CASE("a refusal is one line and exit status 3") {
  REQUIRE(complaint_of("plan --mesh 4x4 --fail 1,1 --policy combs", 3) ==
          "policy 'combs' refused: the mesh has holes, and combs need every row and column whole");
}

TEST_CASE("a picture that can't be written is bad input") {
  REQUIRE(complaint_of("plan --mesh 4x4 --policy tree --svg /nowhere/x.svg", 2) ==
          "can't write '/nowhere/x.svg': No such file or directory");
  REQUIRE(complaint_of("plan --mesh 4x4 --policy tree --svg /dev/full", 2) ==
          "can't write '/dev/full': No space left on device");
  REQUIRE(std::filesystem::exists("/dev/full"));
}

TEST_CASE("output that does not arrive is noticed") {
  for (const char* arguments : {"plan --mesh 4x4 --policy tree",
                                "plan --mesh 16x16 --policy combs --json", "policies", "--help"}) {
    const auto result = run_detour(arguments, {.stdout_path = "/dev/full"});
    INFO(arguments);
    REQUIRE(result.exit_status == 2);
    REQUIRE(result.err == "detour: can't write to standard output\n");
  }
}

TEST_CASE("a reader that goes away is no error") {
  for (const char* arguments : {"plan --mesh 4x4 --policy tree", "policies",
                                "plan --mesh 16x16 --complete --policy direct --json"}) {
    const auto result = run_detour(arguments, {.stdout_reader_is_gone = true});
    INFO(arguments);
    REQUIRE(result.exit_status == 0);
    REQUIRE(result.err == "");
  }
}
