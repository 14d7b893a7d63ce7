#include "suggestion.hpp"

#include <array>

#include "support/catch.hpp"

using detour::tool::suggestion;

namespace {

constexpr std::array<std::string_view, 3> names{"combs", "tree", "trees"};
constexpr std::array<std::string_view, 3> options{"--mesh", "--policy", "--policy-path"};

}  // namespace

TEST_CASE("a near name is suggested, whatever the case") {
  REQUIRE(suggestion("tres", names) == "; did you mean 'trees'?");
  REQUIRE(suggestion("COMBS", names) == "; did you mean 'combs'?");
  REQUIRE(suggestion("--polcy", options) == "; did you mean '--policy'?");
  REQUIRE(suggestion("--mesh8x8", options) == "; did you mean '--mesh'?");
}

TEST_CASE("a letter means the first name that starts with it") {
  REQUIRE(suggestion("-m", options) == "; did you mean '--mesh'?");
  REQUIRE(suggestion("-P", options) == "; did you mean '--policy'?");
  REQUIRE(suggestion("t", names) == "; did you mean 'tree'?");
}

TEST_CASE("where nothing is near, all names are listed") {
  const std::string all = "; there are: combs, tree, trees";
  for (const char* word : {"", "nope", "x", "something else"}) {
    INFO(word);
    REQUIRE(suggestion(word, names) == all);
  }
  REQUIRE(suggestion("x", {}) == "");
}
