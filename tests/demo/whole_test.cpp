// The whole demo, shorter than people get to see it.
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/run_program.hpp"

using namespace detour::test;

namespace {

// Three kills and a remainder that is long enough; see options.cpp.
const std::string steps = "200";

std::vector<std::smatch> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return {std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()};
}

std::size_t count(const std::string& text, const std::string& pattern) {
  return matches(text, pattern).size();
}

void check_ends(const std::string& text) {
  CHECK(count(text, "rank (5|12|0) killed, cell ") == 3);
  CHECK(count(text, "rank  ?\\d+  died after step ") == 3);
  std::set<std::string> ends;
  const auto survivors = matches(text, "rank  ?\\d+  (loss 0x\\S+  weights [0-9a-f]{16})\\s");
  for (const auto& survivor : survivors) ends.insert(survivor[1]);
  CHECK(survivors.size() == 13);
  CHECK(ends.size() == 1);
  CHECK(count(text, "All 13 survivors have the same loss and the same weights, bit for bit") == 1);
}

// A place for temporary files that nobody else uses.
class OwnTemporaryFolder {
 public:
  OwnTemporaryFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "demo-test-XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    path_ = path;
  }
  ~OwnTemporaryFolder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }

  // Open MPI's are not ours.
  std::size_t demo_folder_count() const {
    std::size_t result = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      result += entry.path().filename().string().starts_with("detour-demo-");
    }
    return result;
  }

  // Processes with the folder in their command line: ranks are told where to write.
  std::size_t process_count() const {
    std::size_t result = 0;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
      std::ifstream file(entry.path() / "cmdline");
      std::ostringstream text;
      text << file.rdbuf();
      result += text.str().find(path_ + "/detour-demo-") != std::string::npos;
    }
    return result;
  }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE(
    "on a pipe: lines, three deaths, one result on all survivors, and a loss that has fallen") {
  const OwnTemporaryFolder folder;
  const auto result = run_program({DETOUR_DEMO_PATH, "--steps", steps},
                                  {.environment = {"TMPDIR=" + folder.path()}});
  INFO(result.out);
  INFO(result.err);
  CHECK(result.exit_status == 0);
  CHECK(result.out.find('\033') == std::string::npos);
  check_ends(result.out);
  CHECK(count(result.out, " 13 ranks ") > 0);
  const auto losses = matches(result.out, "step +\\d+  loss (\\d+\\.\\d+)  ");
  REQUIRE(losses.size() > 2);
  CHECK(std::stod(losses.back()[1]) < std::stod(losses.front()[1]) / 2);
  CHECK(folder.demo_folder_count() == 0);
  CHECK(folder.process_count() == 0);
}

TEST_CASE("on a terminal: pictures in place of each other, and the last one stays") {
  const OwnTemporaryFolder folder;
  const std::string command = "stty rows 24 cols 80; " DETOUR_DEMO_PATH " --steps " + steps;
  const auto result =
      run_program({"/usr/bin/script", "-qec", command, "/dev/null"},
                  {.environment = {"TMPDIR=" + folder.path(), "TERM=xterm", "NO_COLOR=1"}});
  INFO(result.err);
  CHECK(result.exit_status == 0);
  const std::string enter = "\033[?1049h";
  const std::string leave = "\033[?1049l";
  const auto begin = result.out.find(enter);
  const auto end = result.out.find(leave);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  const std::string shown = result.out.substr(begin, end - begin);
  CHECK(count(shown, "\033\\[H") > 5);
  const std::string stays = result.out.substr(end);
  CHECK(count(stays, "200 of 200") == 1);
  check_ends(stays);
}

TEST_CASE("a terminal that is too small gets lines") {
  const std::string command = "stty rows 23 cols 80; " DETOUR_DEMO_PATH " --steps 100 --kill 0@10";
  const auto result = run_program({"/usr/bin/script", "-qec", command, "/dev/null"},
                                  {.environment = {"TERM=xterm"}});
  INFO(result.out);
  CHECK(result.exit_status == 0);
  CHECK(result.out.find("\033[?1049h") == std::string::npos);
  CHECK(count(result.out, "All 15 survivors have the same loss") == 1);
}

TEST_CASE("a demo that is interrupted ends its job, and leaves nothing behind") {
  const OwnTemporaryFolder folder;
  const std::string log = folder.path() + "/said";
  ChildProcess demo([&] {
    setenv("TMPDIR", folder.path().c_str(), 1);
    if (freopen(log.c_str(), "w", stdout) == nullptr) return 1;
    execl(DETOUR_DEMO_PATH, DETOUR_DEMO_PATH, "--steps", "100000", nullptr);
    return 1;
  });
  REQUIRE(eventually([&] {
    std::ifstream file(log);
    std::ostringstream text;
    text << file.rdbuf();
    return folder.process_count() > 16 || count(text.str(), "step") > 0;
  }));
  kill(demo.pid(), SIGINT);
  CHECK(demo.wait() == 128 + SIGINT);
  CHECK(folder.demo_folder_count() == 0);
  CHECK(eventually([&] { return folder.process_count() == 0; }));
}
