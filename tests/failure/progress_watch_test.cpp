#include "failure/progress_watch.hpp"

#include "support/catch.hpp"

using namespace detour;
using namespace std::chrono_literals;

namespace {

// Looks at one peer every 100 ms of a time that the test makes up.
class Observer {
 public:
  explicit Observer(const HangLimits& limits = {}) : watch_(limits) {}

  // After how long it was suspected, if it was within the time.
  std::optional<std::chrono::nanoseconds> watch(const ProgressLine& line,
                                                std::chrono::nanoseconds time) {
    for (std::chrono::nanoseconds passed = 0ns; passed <= time; passed += 100ms) {
      if (look(line, passed == 0ns ? 0ns : 100ms)) return passed;
    }
    return std::nullopt;
  }
  std::optional<std::string> look(const ProgressLine& line, std::chrono::nanoseconds later) {
    now_ += later;
    return watch_.look(1, line.sample(), ProgressWatch::Clock::time_point(now_));
  }

 private:
  ProgressWatch watch_;
  std::chrono::nanoseconds now_{1h};
};

}  // namespace

TEST_CASE("a rank that computes is never suspected by default") {
  const ProgressLine line;
  REQUIRE_FALSE(Observer().watch(line, 1h));
}

TEST_CASE("a rank that computes is suspected if that is asked for") {
  const ProgressLine line;
  HangLimits limits;
  limits.computing = 60s;
  REQUIRE(Observer(limits).watch(line, 1h) == 60s);
}

TEST_CASE("a rank inside a collective without progress is suspected after ten seconds") {
  ProgressLine line;
  line.enter_collective();
  REQUIRE(Observer().watch(line, 1h) == 10s);
}

TEST_CASE("progress starts the time anew") {
  ProgressLine line;
  line.enter_collective();
  Observer observer;
  for (int turn = 0; turn < 10; ++turn) {
    REQUIRE_FALSE(observer.watch(line, 9s));
    line.made_progress();
  }
  REQUIRE_FALSE(observer.watch(line, 9s));
  line.leave_collective();
  REQUIRE_FALSE(observer.watch(line, 1h));
  line.enter_collective();
  REQUIRE(observer.watch(line, 1h) == 10s);
}

TEST_CASE("one that left one of two collectives is still inside") {
  ProgressLine line;
  line.enter_collective();
  line.enter_collective();
  line.leave_collective();
  REQUIRE(line.sample().is_inside);
  line.leave_collective();
  REQUIRE_FALSE(line.sample().is_inside);
}

TEST_CASE("a helper that answered once has to go on answering") {
  ProgressLine line;
  Observer observer;
  REQUIRE_FALSE(observer.watch(line, 1h));
  line.helper_beat();
  const auto suspected = observer.watch(line, 1h);
  REQUIRE(suspected.has_value());
  REQUIRE(*suspected <= 10s + 100ms);
  REQUIRE(*suspected >= 9s);
  const auto reason = observer.look(line, 100ms);
  REQUIRE(reason.has_value());
  REQUIRE(reason->find("helper") != std::string::npos);
}

TEST_CASE("one that moves again is no longer suspected") {
  ProgressLine line;
  line.enter_collective();
  Observer observer;
  REQUIRE(observer.watch(line, 1h) == 10s);
  line.made_progress();
  REQUIRE_FALSE(observer.look(line, 100ms));
}

TEST_CASE("time in which the observer did not look does not count") {
  ProgressLine line;
  line.enter_collective();
  Observer observer;
  REQUIRE_FALSE(observer.look(line, 0ns));
  REQUIRE_FALSE(observer.look(line, 5h));
  REQUIRE_FALSE(observer.look(line, 5h));
  REQUIRE(observer.watch(line, 1h) <= 10s);
}

TEST_CASE("without limits nobody is ever suspected") {
  ProgressLine line;
  line.enter_collective();
  line.helper_beat();
  REQUIRE_FALSE(HangLimits::none().any());
  REQUIRE_FALSE(Observer(HangLimits::none()).watch(line, 1h));
}
