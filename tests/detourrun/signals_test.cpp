// Signals to detourrun reach the job, and nothing is left behind however a process of it ends.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "launched_job.hpp"
#include "support/catch.hpp"

using namespace detour::test;

namespace {

void check_that_nothing_is_left(const LaunchedJob& job) {
  CHECK(eventually([&] { return job.processes().empty(); }));
}

void check_that_none_exists(const std::set<std::string>& files) {
  for (const std::string& file : files) {
    CAPTURE(file);
    CHECK_FALSE(std::filesystem::exists(file));
  }
}

pid_t mpirun_of(const LaunchedJob& job) {
  auto found = job.processes("mpirun");
  // Open MPI 5 has it become another program.
  if (found.empty()) found = job.processes("prterun");
  REQUIRE(found.size() == 1);
  return found[0];
}

}  // namespace

TEST_CASE("A signal that ends detourrun ends the job") {
  const int signal = GENERATE(SIGTERM, SIGINT, SIGHUP, SIGQUIT);
  LaunchedJob job(3);
  const auto files = job.shared_files();
  CHECK_FALSE(files.empty());
  ::kill(job.detourrun(), signal);
  CHECK(job.wait() == 128 + signal);
  CHECK(contains(job.err(), "ended by signal " + std::to_string(signal)));
  check_that_nothing_is_left(job);
  check_that_none_exists(files);
}

TEST_CASE("A signal to detourrun and mpirun ends the job as one to detourrun does") {
  const int signal = GENERATE(SIGTERM, SIGINT, SIGQUIT);
  LaunchedJob job(3);
  const auto files = job.shared_files();
  // As timeout(1) does it.
  ::kill(job.detourrun(), signal);
  ::kill(-job.detourrun(), signal);
  CHECK(job.wait() == 128 + signal);
  check_that_nothing_is_left(job);
  check_that_none_exists(files);
}

TEST_CASE("Whoever signals twice does not wait for the grace period") {
  LaunchedJob job(2, {"--no-preload", "--grace", "1000"});
  const auto mpirun = mpirun_of(job);
  ::kill(mpirun, SIGSTOP);
  const auto signal_again = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ::kill(job.detourrun(), SIGINT);
  };
  ::kill(job.detourrun(), SIGINT);
  signal_again();
  CHECK(eventually([&] { return job.processes("detourrun_subje").empty(); }));
  signal_again();
  CHECK(job.wait() == 128 + SIGINT);
  check_that_nothing_is_left(job);
}

TEST_CASE("Nothing is left of a job whose detourrun is killed") {
  LaunchedJob job(3);
  CHECK(job.processes("detour-rank").size() == 3);
  ::kill(job.detourrun(), SIGKILL);
  CHECK(job.wait() == -SIGKILL);
  check_that_nothing_is_left(job);
}

TEST_CASE("Nothing is left of a job whose mpirun is killed") {
  LaunchedJob job(3);
  ::kill(mpirun_of(job), SIGKILL);
  CHECK(job.wait() == 128 + SIGKILL);
  CHECK(contains(job.err(), "before its ranks"));
  check_that_nothing_is_left(job);
}

TEST_CASE("A rank dies with its supervisor and the job knows") {
  LaunchedJob job(3);
  const auto supervisors = job.processes("detour-rank");
  REQUIRE(supervisors.size() == 3);
  ::kill(supervisors[0], SIGKILL);
  CHECK(eventually([&] { return job.processes("detourrun_subje").size() == 2; }));
  ::kill(job.detourrun(), SIGTERM);
  CHECK(job.wait() == 128 + SIGTERM);
  CHECK(contains(job.err(), "lost with its supervisor"));
  check_that_nothing_is_left(job);
}

TEST_CASE("A stopped rank does not keep a job from ending") {
  LaunchedJob job(2);
  const auto ranks = job.processes("detourrun_subje");
  REQUIRE(ranks.size() == 2);
  ::kill(ranks[0], SIGSTOP);
  ::kill(job.detourrun(), SIGTERM);
  CHECK(job.wait() == 128 + SIGTERM);
  check_that_nothing_is_left(job);
}

TEST_CASE("What a killed rank had started ends with it") {
  const auto result = run_detourrun({"-np", "1", "sh", "-c", "sleep 1000 & kill -KILL $$"});
  // Its output would still be open, and mpirun would wait for that.
  CHECK(result.exit_status == 128 + SIGKILL);
}
