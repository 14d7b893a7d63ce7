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

TEST_CASE("the program knows its version and explains itself") {
  REQUIRE(output_of("--version").starts_with("detour "));
  REQUIRE(contains(output_of("--help"), "policies"));
  REQUIRE(contains(output_of("plan --help"), "--mesh"));
}
