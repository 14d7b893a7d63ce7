#include "demo/options.hpp"

#include "exit_status.hpp"
#include "support/catch.hpp"

using namespace detour::demo;

namespace {

Options parse(std::vector<std::string> words) {
  words.insert(words.begin(), "detour_demo");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

TEST_CASE("three ranks are killed unless one says otherwise, rank 0 among them") {
  CHECK(parse({}).kills == std::vector<Kill>{{5, 120}, {12, 240}, {0, 360}});
  CHECK(parse({"--steps", "200"}).kills == std::vector<Kill>{{5, 40}, {12, 80}, {0, 120}});
  CHECK(parse({"--kill", "3@7"}).kills == std::vector<Kill>{{3, 7}});
}

TEST_CASE("what makes no sense is refused in words") {
  const std::vector<std::vector<std::string>> bad{
      {"--steps", "0"},      {"--steps", "many"},
      {"--steps", "100"},    {"--kill", "3"},
      {"--kill", "16@7"},    {"--kill", "-1@7"},
      {"--kill", "3@0"},     {"--kill", "3@x"},
      {"--kill", "3@599"},   {"--kill", "3@7", "--kill", "3@8"},
      {"--policy", "combs"}, {"--nonsense"},
  };
  for (const auto& words : bad) {
    INFO(words[0] << " " << words.back());
    CHECK_THROWS_AS(parse(words), detour::tool::BadInput);
  }
}
