#include "demo/verdict.hpp"

#include "demo_job.hpp"
#include "support/catch.hpp"

using namespace detour::demo;
using detour::test::DemoJob;

namespace {

// Four ranks, of which rank 2 is killed, just before their end.
DemoJob almost_done() {
  DemoJob job(4, 10, {{2, 5}});
  job.steps(5, 4);
  job.progress.take_victims(1);
  job.steps(5, 3);
  return job;
}

}  // namespace

TEST_CASE("a job that has kept what was promised is without fault") {
  DemoJob job = almost_done();
  job.end();
  CHECK_FALSE(find_fault(job.progress, 0));
}

TEST_CASE("every promise that is not kept is a fault") {
  DemoJob job = almost_done();
  const auto fault = [&](int status = 0) { return find_fault(job.progress, status).value_or(""); };
  SECTION("status") {
    job.end();
    CHECK(fault(93) == "the job ended with status 93");
  }
  SECTION("other weights") {
    job.progress.hear(0, Ended{"0x1p0", "1"}, 2);
    job.progress.hear(1, Ended{"0x1p0", "1"}, 2);
    job.progress.hear(3, Ended{"0x1p0", "2"}, 2);
    CHECK(fault() == "rank 3 has another loss or other weights");
  }
  SECTION("a survivor dies") {
    job.progress.hear_log_closed(1, 2);
    job.end();
    CHECK(fault() == "rank 1 died, and nobody had killed it");
  }
  SECTION("a survivor does not finish") {
    job.progress.hear(0, Ended{"0x1p0", "1"}, 2);
    CHECK(fault() == "rank 1 did not finish");
  }
  SECTION("a victim lives") {
    job.end();
    job.progress.hear(2, Ended{"0x1p0", "1"}, 2);
    CHECK(fault() == "rank 2 finished before it died");
  }
}

TEST_CASE("a victim that was never killed is a fault") {
  DemoJob job(2, 10, {{1, 9}});
  job.steps(10, 2);
  job.end();
  CHECK(find_fault(job.progress, 0) == "rank 1 was not killed");
}

TEST_CASE("a net that has learnt nothing is a fault") {
  Progress progress(1, 2, {});
  progress.hear(0, Stepped{1, 1.5, 10, 1, 1000}, 0);
  progress.hear(0, Stepped{2, 1.5, 10, 1, 1000}, 0);
  progress.hear(0, Ended{"0x1.8p0", "1"}, 0);
  CHECK(find_fault(progress, 0) == "the loss has not fallen");
}

TEST_CASE("every rank has a line on how it ended") {
  DemoJob job = almost_done();
  job.end();
  CHECK(ends_text(job.progress) ==
        "rank  0  loss 0x1p0  weights 1\n"
        "rank  1  loss 0x1p0  weights 1\n"
        "rank  2  died after step 5\n"
        "rank  3  loss 0x1p0  weights 1\n");
}
