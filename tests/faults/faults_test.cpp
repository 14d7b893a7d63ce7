// Jobs in which something is wrong with a rank: what the others do, and what is said about it.
#include <algorithm>

#include "support/catch.hpp"
#include "support/run_program.hpp"

using namespace detour::test;

namespace {

constexpr int rank_count = 4;

// Long enough for threads that wait for a core, short enough for tests; some jobs go on for three times as long.
constexpr const char* hang_timeout = "DETOUR_HANG_TIMEOUT_MS=2000";
constexpr const char* three_timeouts_ms = "6000";

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    if (end > start) words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

ProgramResult run(std::vector<std::string> launcher, const std::string& subject,
                  std::vector<std::string> environment) {
  for (const auto& option : words_of(MPIRUN_OPTIONS)) launcher.push_back(option);
  for (const char* word : {"-np", "4", SUBJECT_PATH}) launcher.emplace_back(word);
  launcher.push_back(subject);
  launcher.emplace_back(three_timeouts_ms);
  for (const char* root : {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}) {
    environment.emplace_back(root);
  }
  return run_program(launcher, {.environment = std::move(environment)});
}

ProgramResult run_job(const std::string& subject, std::vector<std::string> environment = {}) {
  environment.emplace_back(hang_timeout);
  return run({DETOURRUN_PATH, "--no-preload"}, subject, std::move(environment));
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The job went well, and all who were there at the end know how many they were.
void check_survivors(const ProgramResult& result, int survivor_count) {
  INFO(result.out << result.err);
  CHECK(result.exit_status == 0);
  const std::string end = " ends with " + std::to_string(survivor_count) + " contributors\n";
  CHECK(count_of(result.out, end) == static_cast<std::size_t>(survivor_count));
}

void check_that_nobody_is_killed(const ProgramResult& result) {
  check_survivors(result, rank_count);
  INFO(result.err);
  CHECK(result.err.find("[detour]") == std::string::npos);
}

}  // namespace

TEST_CASE("a rank that is stopped is killed, and the others go on") {
  const auto result = run_job("stopped");
  check_survivors(result, rank_count - 1);
  INFO(result.err);
  CHECK(count_of(result.err, "hangs: no sign of life for 2") == 1);
  CHECK(count_of(result.err, "[detour]") == 2);
  CHECK(count_of(result.err, "rank 1 killed by signal 9") == 1);
}

TEST_CASE("a rank that is stopped while operations are pending is killed, and they end") {
  const auto result = run_job("pending");
  check_survivors(result, rank_count - 1);
  INFO(result.err);
  CHECK(count_of(result.err, "hangs: no sign of life for 2") == 1);
}

TEST_CASE("a rank that is stopped and goes on in time is in all results") {
  check_that_nobody_is_killed(run_job("continued"));
}

TEST_CASE("a rank that computes while others wait is left in peace") {
  check_that_nobody_is_killed(run_job("computing"));
}

TEST_CASE("a rank in an operation of the program's is left in peace") {
  check_that_nobody_is_killed(run_job("slow_operation"));
}

TEST_CASE("a rank that is stuck inside a collective is killed, and the others go on") {
  const auto result = run_job("stuck");
  check_survivors(result, rank_count - 1);
  INFO(result.err);
  CHECK(count_of(result.err, "hangs: no progress in a collective operation for 2") == 1);
}

TEST_CASE("who died is said once, and told to the program") {
  const auto result = run_job("killed");
  check_survivors(result, rank_count - 1);
  INFO(result.err);
  CHECK(count_of(result.err, "[detour]") == 1);
  CHECK(count_of(result.err, ": rank 1 (pid ") == 1);
  CHECK(count_of(result.err, " s after the start; 3 ranks are left on this host\n") == 1);
}

TEST_CASE("sums without the dead are rescaled if that is asked for") {
  check_survivors(run_job("rescaled", {"DETOUR_RESCALE=mean"}), rank_count - 1);
}

TEST_CASE("without fault tolerance a death ends the job, and detourrun says why") {
  const auto result = run_job("killed", {"DETOUR_FT=off"});
  INFO(result.err);
  CHECK(result.exit_status == 128 + 9);
  CHECK(count_of(result.err, "rank 1 killed by signal 9") == 1);
  CHECK(count_of(result.err, "all ended because of that: DETOUR_FT=off") == 1);
}

TEST_CASE("without shared memory a death ends the job, and that is said beforehand") {
  const auto result =
      run_job("killed", {"DETOUR_TRANSPORT=mpi", "DETOUR_FT=on", "DETOUR_LOG=warn"});
  INFO(result.err);
  CHECK(result.exit_status == 128 + 9);
  CHECK(count_of(result.err, "a rank's death ends this job: its ranks don't share memory\n") == 1);
  CHECK(count_of(result.err, "all ended because of that: its ranks don't share memory") == 1);
}

TEST_CASE("mpirun without recovery gets a hint, as loud as fault tolerance was asked for") {
  const std::string hint = "a rank's death ends this job: start it with detourrun, or mpirun --ena";
  const auto plain = run({MPIRUN_PATH}, "fine", {});
  CHECK(plain.exit_status == 0);
  CHECK(count_of(plain.err, hint) == 0);
  CHECK(count_of(run({MPIRUN_PATH}, "fine", {"DETOUR_LOG=info"}).err, hint) == 1);
  CHECK(count_of(run({MPIRUN_PATH}, "fine", {"DETOUR_FT=on"}).err, hint) == 1);
  const std::vector<std::string> recovering{MPIRUN_PATH, "--mca", "orte_enable_recovery", "1"};
  CHECK(count_of(run(recovering, "fine", {"DETOUR_FT=on"}).err, hint) == 0);
  CHECK(count_of(run_job("fine", {"DETOUR_FT=on"}).err, hint) == 0);
}
