// Signals to detourrun reach the job, and nothing is left behind however a process of it ends.
#include <csignal>

#include "launched_job.hpp"
#include "support/catch.hpp"

using namespace detour::test;

namespace {

void check_that_nothing_is_left(const LaunchedJob& job) {
  CHECK(eventually([&] { return job.processes().empty(); }));
}

}  // namespace

TEST_CASE("A signal that ends detourrun ends the job") {
  const int signal = GENERATE(SIGTERM, SIGINT, SIGHUP);
  LaunchedJob job(3);
  ::kill(job.detourrun(), signal);
  CHECK(job.wait() == 128 + signal);
  CHECK(contains(job.err(), "ended by signal " + std::to_string(signal)));
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
  auto mpirun = job.processes("mpirun");
  // Open MPI 5 has it become another program.
  if (mpirun.empty()) mpirun = job.processes("prterun");
  REQUIRE(mpirun.size() == 1);
  ::kill(mpirun[0], SIGKILL);
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
