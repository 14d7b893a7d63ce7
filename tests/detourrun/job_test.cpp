// The books that the launcher keeps, and its last line.
#include "job.hpp"

#include <csignal>

#include "escalation.hpp"
#include "report.hpp"
#include "startup_watch.hpp"
#include "support/catch.hpp"

using namespace detour::run;
using namespace std::chrono_literals;

namespace {

Hello hello(int rank, int size, const std::string& job = "job") {
  return {"token", job, rank, size, "node"};
}

Job job_of(int size) {
  Job job;
  for (int rank = 0; rank < size; ++rank) REQUIRE(job.join(hello(rank, size)));
  return job;
}

}  // namespace

TEST_CASE("The first bad status counts, and deaths only when nobody is left") {
  Job job = job_of(3);
  job.killed(0, SIGKILL, 1s);
  CHECK_FALSE(job.all_ended());
  SECTION("survivors") {
    job.exited(1, 0, 2s);
    job.exited(2, 0, 2s);
    CHECK(job.status(9) == 0);
  }
  SECTION("bad survivors") {
    job.exited(2, 6, 2s);
    job.exited(1, 5, 3s);
    CHECK(job.status(0) == 6);
  }
  SECTION("no survivors") {
    job.lost(1, 2s);
    job.killed(2, SIGSEGV, 2s);
    CHECK(job.status(0) == 128 + SIGKILL);
  }
  CHECK(job.all_ended());
}

TEST_CASE("Who waits for a rank that has ended waits in vain") {
  Job job = job_of(8);
  job.awaits(0, {1, "0-2,5", "here"}, 1s);
  job.awaits(3, {1, "3-7", "there"}, 2s);
  job.killed(4, SIGKILL, 3s);
  auto hopeless = job.hopeless_wait();
  REQUIRE(hopeless);
  CHECK(hopeless->rank == 3);
  CHECK(hopeless->awaited == 4);
  CHECK(hopeless->words == "there");
  CHECK(hopeless->since == 3s);
  CHECK(hopeless->status == 128 + SIGKILL);
  job.met(3, {1});
  CHECK_FALSE(job.hopeless_wait());
  job.exited(5, 0, 4s);
  CHECK(job.hopeless_wait()->rank == 0);
  CHECK(job.hopeless_wait()->status == 1);
  job.killed(0, SIGKILL, 5s);
  CHECK_FALSE(job.hopeless_wait());
}

TEST_CASE("The ranks of another job are others") {
  Job job = job_of(2);
  REQUIRE(job.join(hello(1, 2, "spawned")));
  job.awaits(0, {1, "0-1", "here"}, 1s);
  job.killed(2, SIGKILL, 2s);
  CHECK_FALSE(job.hopeless_wait());
}

TEST_CASE("Lists of ranks") {
  CHECK(has_rank("0-3,5", 0));
  CHECK(has_rank("0-3,5", 3));
  CHECK(has_rank("0-3,5", 5));
  CHECK_FALSE(has_rank("0-3,5", 4));
  CHECK_FALSE(has_rank("0-3,5", 6));
  CHECK_FALSE(has_rank("", 0));
}

TEST_CASE("Ranks that need each other can't go on when one is lost") {
  Job job = job_of(3);
  const auto check = [&](int status) {
    const auto broken = job.broken_dependence();
    REQUIRE(broken);
    CHECK(broken->words == "they are far apart");
    CHECK(broken->status == status);
  };
  SECTION("but well while none is") {
    job.depend("they are far apart");
    job.exited(0, 0, 1s);
    CHECK_FALSE(job.broken_dependence());
  }
  SECTION("killed") {
    job.depend("they are far apart");
    job.depend("another reason");
    job.killed(1, SIGSEGV, 1s);
    check(128 + SIGSEGV);
  }
  SECTION("gone with its node, before the others say so") {
    job.lost(1, 1s);
    CHECK_FALSE(job.broken_dependence());
    job.depend("they are far apart");
    check(128 + SIGKILL);
  }
  SECTION("ended with a bad status") {
    job.depend("they are far apart");
    job.exited(2, 6, 1s);
    check(6);
  }
}

TEST_CASE("Who gives up after a death does not count as the first that was bad") {
  Job job = job_of(3);
  job.bereft(2, "it needs rank 1", 1s);
  job.bereft(0, "another reason", 1s);
  job.exited(2, 1, 1s);
  CHECK_FALSE(job.status_of_loss());
  CHECK(job.loss()->rank == 2);
  CHECK(job.loss()->words == "it needs rank 1");
  job.killed(1, SIGKILL, 1s);
  CHECK(job.status_of_loss() == 128 + SIGKILL);
}

TEST_CASE("A status that would be cut to 0 stays bad") {
  Job job = job_of(1);
  job.end(0, 256, "MPI_Abort", 1s);
  job.exited(0, 0, 1s);
  CHECK(job.status(0) == 1);
}

TEST_CASE("While ranks are missing success is not believed") {
  Job job;
  REQUIRE(job.join(hello(0, 2)));
  job.exited(0, 0, 1s);
  CHECK_FALSE(job.all_ended());
  CHECK(job.status(0) == 1);
  CHECK(job.status(3) == 3);
  CHECK(last_line(job, 3) == "detourrun: 2 ranks, 1 finished, 1 never started; status 3");
}

TEST_CASE("A rank joins once, and spawned jobs have ranks of their own") {
  Job job = job_of(1);
  CHECK_FALSE(job.join(hello(0, 1)));
  REQUIRE(job.join(hello(0, 1, "spawned")));
  CHECK(job.expected_count() == 2);
  job.exited(0, 0, 1s);
  job.killed(1, SIGKILL, 1500ms);
  CHECK(last_line(job, 0) ==
        "detourrun: 2 ranks, 1 finished, rank 0 of a spawned job killed by signal 9 after 1.5 s on "
        "host node; status 0");
}

TEST_CASE("The last line names deaths in order of time, and only so many") {
  Job job = job_of(20);
  for (std::size_t rank = 0; rank < 20; ++rank) {
    job.killed(rank, SIGKILL, Milliseconds(2000 - 100 * static_cast<int>(rank)));
  }
  const auto line = last_line(job, 137);
  REQUIRE(line);
  CHECK(line->find("finished, rank 19 killed by signal 9 after 0.1 s") != std::string::npos);
  CHECK(line->find(", and 4 more; status 137") != std::string::npos);
}

TEST_CASE("Ranks that were ended with the job are only counted") {
  Job job = job_of(3);
  job.exited(0, 0, 1s);
  job.end(std::nullopt, 143, "ended by signal 15", 2s);
  job.killed(1, SIGTERM, 2s);
  job.lost(2, 2s);
  CHECK(last_line(job, job.status(0)) ==
        "detourrun: 3 ranks, 1 finished, ended by signal 15 after 2.0 s, 2 stopped; status 143");
}

TEST_CASE("The rank that ended the job is neither finished nor stopped") {
  Job job = job_of(2);
  job.end(1, 7, "MPI_Abort", 2s);
  if (GENERATE(false, true)) {
    job.exited(1, 0, 2s);
  } else {
    job.killed(1, SIGTERM, 2s);
  }
  job.killed(0, SIGTERM, 2s);
  CHECK(last_line(job, job.status(0)) ==
        "detourrun: 2 ranks, 0 finished, rank 1 ended the job after 2.0 s on host node: MPI_Abort, "
        "1 stopped; status 7");
}

TEST_CASE("Nothing is said when all went well or nothing was started") {
  Job job = job_of(1);
  job.exited(0, 0, 1s);
  CHECK_FALSE(last_line(job, 0));
  CHECK_FALSE(last_line(Job(), 1));
}

TEST_CASE("Patience ends in two steps that nothing puts off") {
  Escalation escalation(5s);
  const Escalation::Time begin{};
  CHECK_FALSE(escalation.next());
  escalation.begin(begin);
  escalation.begin(begin + 3s);
  CHECK_FALSE(escalation.due(begin + 4s));
  CHECK(escalation.due(begin + 5s) == Escalation::Step::ask);
  CHECK_FALSE(escalation.due(begin + 9s));
  CHECK(escalation.due(begin + 10s) == Escalation::Step::force);
  CHECK_FALSE(escalation.due(begin + 99s));
  CHECK_FALSE(escalation.next());
}

TEST_CASE("Whoever has less patience gets the next step at once") {
  Escalation escalation(5s);
  const Escalation::Time begin{};
  escalation.hurry(begin);
  CHECK_FALSE(escalation.next());
  escalation.begin(begin);
  escalation.hurry(begin + 1s);
  CHECK(escalation.due(begin + 1s) == Escalation::Step::ask);
  CHECK_FALSE(escalation.due(begin + 2s));
  escalation.hurry(begin + 3s);
  CHECK(escalation.due(begin + 3s) == Escalation::Step::force);
}

TEST_CASE("Only an mpirun that does nothing at all is stuck") {
  StartupWatch watch;
  const StartupWatch::Time begin{};
  const Activity quiet{.has_children = false, .is_asleep = true, .cpu_ticks = 50};
  CHECK_FALSE(watch.is_stuck(quiet, begin));  // it has just worked
  CHECK_FALSE(watch.is_stuck(quiet, begin + 1s));
  CHECK_FALSE(watch.is_stuck(quiet, begin + 6s));
  CHECK(watch.is_stuck(quiet, begin + 7s));
  CHECK_FALSE(
      watch.is_stuck({.has_children = true, .is_asleep = true, .cpu_ticks = 50}, begin + 8s));
  CHECK_FALSE(watch.is_stuck(quiet, begin + 9s));
  CHECK_FALSE(
      watch.is_stuck({.has_children = false, .is_asleep = true, .cpu_ticks = 60}, begin + 15s));
  CHECK_FALSE(watch.is_stuck(quiet, begin + 16s));
}
