#include "detour_program.hpp"

using namespace detour::test;

TEST_CASE("policies are listed with one line each, sorted") {
  const auto text = output_of("policies");
  REQUIRE(contains(text, "combs "));
  REQUIRE(contains(text, "combs of rows and columns: reaches the limit on an intact mesh\n"));
  REQUIRE(text.find("combs ") < text.find("\ndirect "));
  REQUIRE(text.find("\ndirect ") < text.find("\ntree "));
}

TEST_CASE("plug-ins are listed like built-in policies") {
  const auto text = output_of(std::string("policies --policy-path ") + EXAMPLE_PLUGIN_PATH);
  REQUIRE(contains(text, "\nserpentine "));
  REQUIRE(contains(text, "example: one chain through all cells\n"));
}

TEST_CASE("what a plug-in says stays in its line") {
  const std::string path = " --policy-path " + std::string(TEST_PLUGIN_FOLDER) + "/talkative.so";
  REQUIRE(contains(output_of("policies" + path), "\ntalkative  one line and another\n"));
  REQUIRE(
      contains(output_of("plan --mesh 4x4 --table" + path), "\ntalkative  refused: no never\n"));
  REQUIRE(complaint_of("plan --mesh 4x4 --policy talkative" + path, 3) ==
          "policy 'talkative' refused: no never");
}

TEST_CASE("the program knows its version and explains itself") {
  REQUIRE(output_of("--version").starts_with("detour "));
  REQUIRE(contains(output_of("--help"), "policies"));
  REQUIRE(output_of("help") == output_of("--help"));
  REQUIRE(output_of("help plan") == output_of("plan --help"));
}

TEST_CASE("help tells what counts besides options, and how the program ends") {
  const auto text = output_of("plan --help");
  REQUIRE(contains(text, "--mesh ROWSxCOLS"));
  REQUIRE(contains(text, "--fail R,C "));
  REQUIRE_FALSE(contains(text, "TEXT"));
  REQUIRE_FALSE(contains(text, " ..."));
  for (const char* name : {"DETOUR_POLICY ", "DETOUR_POLICY_PATH ", "DETOUR_BRIDGES "}) {
    REQUIRE(contains(text, name));
  }
  for (const char* line : {"  0  all went well\n", "  1  a policy failed or made a wrong plan\n",
                           "  2  bad input, or output that can't be written\n", "  3  refused: "}) {
    REQUIRE(contains(text, line));
    REQUIRE(contains(output_of("--help"), line));
  }
}
