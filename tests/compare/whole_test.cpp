// benchmarks/compare as a whole, in short.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/run_program.hpp"

using namespace detour::test;

namespace {

ProgramResult run_compare(std::vector<std::string> words) {
  words.insert(words.begin(), {COMPARE_SCRIPT, "--program", DETOUR_COMPARE_PATH});
  return run_program(words);
}

void require_times(const nlohmann::json& medians, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    INFO(name);
    REQUIRE(medians.contains(name));
    REQUIRE(medians[name]["us"] > 0);
  }
}

// That no other test uses; gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("detour-compare-test-" + std::to_string(::getpid()))) {}
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path() const { return path_.string(); }
  std::string text_of(const char* name) const {
    std::ifstream file(path_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("compare: one command measures, writes tables and plots, and judges") {
  const TemporaryFolder folder;
  const auto result = run_compare({"--ranks", "2,3", "-m", "256:64K:256", "--time", "0.02",
                                   "--gate", "--no-outsiders", "-o", folder.path()});
  INFO(result.out << result.err);
  // On a busy machine anything may be missed.
  REQUIRE((result.exit_status == 0 || result.exit_status == 1));
  REQUIRE(contains(result.out, "2 ranks out of place, 256 bytes: "));
  REQUIRE(contains(result.out, "3 ranks in place, 64 KiB: "));
  REQUIRE(contains(result.out, "; Detour_Alloc: "));
  REQUIRE(contains(result.out, "targets hold.") == !contains(result.out, "1 of 20 targets holds."));
  const auto json = nlohmann::json::parse(folder.text_of("comparison.json"));
  REQUIRE(json["comparisons"].size() == 4);
  const auto& medians = json["comparisons"][0]["sizes"][1]["medians"];
  require_times(medians, {"detour", "detour, Detour_Alloc", "tuned", "linear", "nonoverlapping",
                          "recursive doubling", "ring", "segmented ring, 64K", "rabenseifner",
                          "basic", "sm", "libnbc", "memory", "memory, streaming"});
  require_times(medians, {"bare exchange", "bare exchange of all",
                          "bare exchange, outputs streaming", "bare exchange of all, streaming",
                          "bare mapped sum", "bare mapped sum, streaming"});
  const auto& small = json["comparisons"][0]["sizes"][0];
  REQUIRE(small["medians"].contains("meeting"));
  REQUIRE(!medians.contains("meeting"));
  REQUIRE(!small["medians"].contains("bare mapped sum"));
  REQUIRE(small["best_peer_over_limit"]["ratio"] > 0);
  for (const auto& comparison : json["comparisons"]) {
    for (const auto& standing : comparison["sizes"][1]["standings"]) {
      REQUIRE(standing["best_peer_over_exchange"]["ratio"] > 0);
      REQUIRE(standing["limit_over_exchange"]["ratio"] > 0);
    }
  }
  REQUIRE(contains(folder.text_of("comparison.md"), "| commit | "));
  for (const char* name : {"times-2-ranks-out-of-place.svg", "times-3-ranks-in-place.svg",
                           "ratios-out-of-place.svg", "ratios-in-place.svg"}) {
    REQUIRE(contains(folder.text_of(name), "<svg"));
  }
}

TEST_CASE("compare: bad input is refused in one line, before anything is measured") {
  const std::vector<std::vector<std::string>> cases{{"--bogus"},       {"--ranks", "two"},
                                                    {"--place", "up"}, {"--ranks"},
                                                    {"-m", "9:4"},     {"--time", "0"}};
  for (const auto& words : cases) {
    const auto result = run_compare(words);
    INFO(words.front() << "\n" << result.out << result.err);
    REQUIRE(result.exit_status == 2);
    REQUIRE(result.out.empty());
    REQUIRE(std::ranges::count(result.err, '\n') == 1);
  }
  REQUIRE(contains(run_compare({"--bogus"}).err, "unknown option '--bogus'"));
}

TEST_CASE("compare: a report needs comparisons") {
  const auto result = run_program({DETOUR_COMPARE_PATH, "report", "--from", "/nowhere.json"});
  REQUIRE(result.exit_status == 2);
  REQUIRE(result.err == "detour_compare: can't read /nowhere.json\n");
}
