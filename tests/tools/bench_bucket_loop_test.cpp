// The measuring loop with steps of many buckets.
#include <time.h>

#include <string>
#include <vector>

#include "bench/computing.hpp"
#include "bench_loop.hpp"
#include "exit_status.hpp"
#include "support/catch.hpp"

using namespace detour::test;
using namespace detour::tool;

namespace {

const std::vector<std::uint64_t> bucket_sizes{4000, 4, 12'288, 100'000, 8};

Step step_of_five() {
  return step_of_buckets(bucket_sizes, 0);
}

// Calls that are done when they are waited for, the last one first.
class Pending {
 public:
  Contestant contestant() {
    Contestant result = detour::test::contestant("pending", [this](auto... call) {
      calls_.push_back({call...});
      count_max = std::max(count_max, calls_.size());
      return 0;
    });
    result.series.handing = Handing::nonblocking;
    result.finish = [this] {
      for (; !calls_.empty(); calls_.pop_back()) {
        copy(calls_.back().send, calls_.back().receive, calls_.back().count);
      }
      return finish_error;
    };
    return result;
  }

  std::size_t count_max = 0;
  int finish_error = 0;

 private:
  struct Call {
    const void* send;
    void* receive;
    int count;
  };
  std::vector<Call> calls_;
};

Contestant blocking() {
  Contestant result = contestant("pending", copy);
  result.series.handing = Handing::blocking;
  return result;
}

// Spoils what `copy` does for one bucket, in the call with this number of all.
template <class Spoil>
Contestant wrong_bucket(int spoilt, const Spoil& spoil) {
  return contestant("broken", [=, calls = 0](const void* send, void* receive, int count) mutable {
    const int error = copy(send, receive, count);
    if (calls++ == spoilt) spoil(static_cast<int*>(receive), count);
    return error;
  });
}

std::int64_t thread_time_us() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{1'000'000} * time.tv_sec + time.tv_nsec / 1000;
}

}  // namespace

TEST_CASE("bench steps: buckets have pages of their own, one after the other") {
  const Step step = step_of_five();
  REQUIRE(step.bytes() == 4000 + 4 + 12'288 + 100'000 + 8);
  const std::vector<std::size_t> offsets{0, 4096, 8192, 20'480, 122'880};
  for (std::size_t index = 0; index < bucket_sizes.size(); ++index) {
    REQUIRE(step.messages[index].bytes == bucket_sizes[index]);
    REQUIRE(step.messages[index].offset_bytes == offsets[index]);
  }
  REQUIRE(step.extent_bytes() == 122'888);
  REQUIRE(step.text() == "with 5 buckets");
  REQUIRE(step_of_message(65'536).text() == "at 64 KiB");
}

TEST_CASE("bench steps: all buckets are under way before any is waited for, in place too") {
  for (const bool in_place : {false, true}) {
    Bench bench(true, in_place);
    Pending pending;
    const auto result =
        bench.run({pending.contestant(), blocking()}, step_of_five(), {.warm_up = 2, .timed = 9});
    REQUIRE(pending.count_max == bucket_sizes.size());
    REQUIRE(result.bytes == step_of_five().bytes());
    REQUIRE(result.latencies[0].has_value());
    // One for each step, not for each bucket.
    REQUIRE(bench.peers.synchronised_count == 2 * (2 + 9));
    REQUIRE(result.to_twin[0]->ratio ==
            Approx(result.latencies[0]->p50_us / result.latencies[1]->p50_us));
    REQUIRE(!result.to_twin[1]);
  }
}

TEST_CASE("bench steps: a wrong result of any bucket in any step is noticed") {
  const int bucket_count = static_cast<int>(bucket_sizes.size());
  // One step to try out, one to warm up, three that count.
  for (int spoilt = 0; spoilt < 5 * bucket_count; ++spoilt) {
    for (const bool in_place : {false, true}) {
      Bench bench(true, in_place);
      const Contestant wrong =
          wrong_bucket(spoilt, [](int* receive, int count) { receive[count - 1] += 1; });
      INFO("call " << spoilt);
      REQUIRE_THROWS_AS(bench.run({blocking(), wrong}, step_of_five(), {.warm_up = 1, .timed = 3}),
                        Defect);
    }
  }
}

TEST_CASE("bench steps: the complaint names the bucket") {
  Bench bench;
  Contestant wrong = wrong_bucket(3, [](int* receive, int) { receive[7] = -1; });
  wrong.series.handing = Handing::blocking;
  REQUIRE_THROWS_WITH(
      bench.run({wrong}, step_of_five(), {.warm_up = 0, .timed = 1}),
      Catch::Matchers::StartsWith("broken blocking with 5 buckets: wrong result: "
                                  "bucket 3, rank 0, element 7: got -1, expected "));
}

TEST_CASE("bench steps: results of one bucket don't pass for those of another") {
  const Step step = step_of_buckets(std::vector<std::uint64_t>{4000, 4000}, 0);
  std::vector<void*> receives;
  const auto swap = [&](const void* send, void* receive, int count) {
    copy(send, receive, count);
    receives.push_back(receive);
    if (receives.size() % 2 == 0) {
      std::swap_ranges(static_cast<int*>(receive), static_cast<int*>(receive) + count,
                       static_cast<int*>(receives[receives.size() - 2]));
    }
    return 0;
  };
  Bench bench;
  REQUIRE_THROWS_AS(bench.run({contestant("swap", swap)}, step, {.warm_up = 0, .timed = 1}),
                    Defect);
}

TEST_CASE("bench steps: after an error the rest is handed over, and waited for") {
  Bench bench;
  int call_count = 0;
  Contestant refuses =
      contestant("no", [&](const void*, void*, int) { return 100 + ++call_count; });
  bool finished = false;
  refuses.finish = [&] {
    finished = true;
    return 7;
  };
  const auto result = bench.run({refuses, blocking()}, step_of_five(), {.warm_up = 0, .timed = 1});
  REQUIRE(!result.latencies[0]);
  REQUIRE(result.latencies[1].has_value());
  REQUIRE(call_count == static_cast<int>(bucket_sizes.size()));
  REQUIRE(finished);
  REQUIRE(bench.notes == std::vector<std::string>{"no is left out with 5 buckets: error 101"});
}

TEST_CASE("bench steps: an error of the waiting counts") {
  Bench bench;
  Pending pending;
  pending.finish_error = 13;
  const auto result =
      bench.run({pending.contestant(), blocking()}, step_of_five(), {.warm_up = 0, .timed = 1});
  REQUIRE(!result.latencies[0]);
  REQUIRE(bench.notes ==
          std::vector<std::string>{"pending nonblocking is left out with 5 buckets: error 13"});
}

TEST_CASE("bench steps: computing is done before each bucket, by this thread's own time") {
  const std::int64_t start_us = thread_time_us();
  spend_processor_time(2000);
  REQUIRE(thread_time_us() - start_us >= 2000);

  Bench bench;
  std::vector<std::int64_t> called_us;
  const auto note = [&](const void* send, void* receive, int count) {
    called_us.push_back(thread_time_us());
    return copy(send, receive, count);
  };
  const std::int64_t begun_us = thread_time_us();
  bench.run({contestant("note", note)}, step_of_buckets(bucket_sizes, 500),
            {.warm_up = 0, .timed = 1});
  std::int64_t before_us = begun_us;
  for (const std::int64_t us : called_us) {
    // Clocks are read in whole microseconds here.
    REQUIRE(us - before_us >= 499);
    before_us = us;
  }
  REQUIRE(called_us.size() == 2 * bucket_sizes.size());
}
