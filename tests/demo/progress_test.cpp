#include "demo/progress.hpp"

#include "demo_job.hpp"
#include "support/catch.hpp"

using namespace detour::demo;
using detour::test::DemoJob;

TEST_CASE("a step is known from the first rank that tells of it") {
  Progress progress(2, 10, {});
  progress.hear(1, Stepped{1, 2.5, 10, 2, 1000}, 0.5);
  progress.hear(0, Stepped{1, 2.5, 10, 2, 1000}, 0.7);
  REQUIRE(progress.last_step() == 1);
  CHECK(progress.steps()[0].seconds == 0.5);
  CHECK(progress.steps()[0].facts.loss == 2.5);
  CHECK_FALSE(progress.has_contradiction());
}

TEST_CASE("ranks that tell different things of a step are noticed") {
  Progress progress(2, 10, {});
  progress.hear(0, Stepped{1, 2.5, 10, 2, 1000}, 0);
  SECTION("another loss") {
    progress.hear(1, Stepped{1, 2.25, 10, 2, 1000}, 0);
  }
  SECTION("another number of ranks") {
    progress.hear(1, Stepped{1, 2.5, 10, 1, 1000}, 0);
  }
  SECTION("a step left out") {
    progress.hear(1, Stepped{2, 2.5, 10, 2, 1000}, 0);
  }
  CHECK(progress.has_contradiction());
}

TEST_CASE("a rank is to be killed once, when its step has come") {
  DemoJob job(4, 100, {{2, 3}});
  job.steps(2, 4);
  CHECK(job.progress.take_victims(1).empty());
  job.steps(1, 4);
  const auto victims = job.progress.take_victims(2);
  REQUIRE(victims.size() == 1);
  CHECK(victims[0].rank == 2);
  CHECK(victims[0].pid == 102);
  CHECK(job.progress.take_victims(3).empty());
  CHECK(job.progress.dead_ranks() == std::vector{2});
  CHECK(job.progress.alive_count() == 3);
}

TEST_CASE("the others have gone on with the first step that is without the dead") {
  DemoJob job(4, 100, {{2, 1}});
  job.steps(1, 4);
  job.progress.take_victims(5);
  job.seconds = 5.25;
  job.steps(1, 4);  // it was in that one still
  CHECK_FALSE(job.progress.death_of(2)->silence_seconds);
  job.seconds = 5.5;
  job.steps(1, 3);
  CHECK(job.progress.death_of(2)->silence_seconds == 0.5);
  CHECK(job.progress.death_of(2)->survivor_count == 3);
}

TEST_CASE("who closes its log before its end has died") {
  DemoJob job(2, 100, {});
  job.steps(1, 2);
  job.progress.hear(0, Ended{"0x1p0", "1"}, 2);
  job.progress.hear_log_closed(0, 3);
  job.progress.hear_log_closed(1, 3);
  CHECK(job.progress.death_of(0) == nullptr);
  REQUIRE(job.progress.death_of(1) != nullptr);
  CHECK_FALSE(job.progress.death_of(1)->is_killed);
}

TEST_CASE("bandwidth is what all ranks have summed in the last second") {
  DemoJob job(4, 100, {});
  CHECK(job.progress.bytes_per_second() == 0);
  for (int step = 0; step < 50; ++step) {
    job.seconds = step * 0.125;
    job.steps(1, 4);  // of 1000 bytes each
  }
  CHECK(job.progress.bytes_per_second() == 32'000);
  CHECK(job.progress.bytes_per_second(1, 50) == 32'000);
}
