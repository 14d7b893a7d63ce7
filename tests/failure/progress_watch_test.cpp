#include "failure/progress_watch.hpp"

#include "support/catch.hpp"

using namespace detour;
using namespace std::chrono_literals;

namespace {

// One that does as it is told, looked at every 100 ms of a time that the test makes up.
struct Peer {
  bool beats = true;
  bool is_inside = false;
  bool gets_on = true;
};

class Observer {
 public:
  // After how long the peer was suspected, if it was within the time.
  std::optional<std::chrono::nanoseconds> watch(const Peer& peer, std::chrono::nanoseconds time) {
    for (std::chrono::nanoseconds passed = 0ns; passed <= time; passed += 100ms) {
      if (look(peer, passed == 0ns ? 0ns : 100ms)) return passed;
    }
    return std::nullopt;
  }
  std::optional<std::string> look(const Peer& peer, std::chrono::nanoseconds later) {
    now_ += later;
    if (peer.gets_on) ++progress_count_;
    if (peer.beats) line_.beat({peer.is_inside, progress_count_});
    return watch_.look(1, line_.sample(), ProgressWatch::Clock::time_point(now_));
  }
  void forget() { watch_.forget(1); }

 private:
  ProgressWatch watch_{10s};
  ProgressLine line_;
  std::uint64_t progress_count_ = 0;
  std::chrono::nanoseconds now_{1h};
};

constexpr Peer computing{.gets_on = false};
constexpr Peer waiting{.is_inside = true};
constexpr Peer stuck{.is_inside = true, .gets_on = false};
constexpr Peer stopped{.beats = false, .gets_on = false};

}  // namespace

TEST_CASE("a rank that computes is never suspected") {
  REQUIRE_FALSE(Observer().watch(computing, 1h));
}

TEST_CASE("a rank that waits inside a collective is never suspected") {
  REQUIRE_FALSE(Observer().watch(waiting, 1h));
}

TEST_CASE("a rank inside a collective without progress is suspected when the time is over") {
  Observer observer;
  REQUIRE(observer.watch(stuck, 1h) == 10s);
  REQUIRE(observer.look(stuck, 0s) == "no progress in a collective operation for 10000 ms");
}

TEST_CASE("a rank that is stopped is suspected, wherever it was") {
  for (const Peer& before : {computing, waiting, stuck}) {
    Observer observer;
    REQUIRE_FALSE(observer.watch(before, 5s));
    const auto suspected = observer.watch(stopped, 1h);
    REQUIRE(suspected.has_value());
    REQUIRE(*suspected <= 10s);
    REQUIRE(*suspected >= 5s);
  }
  Observer observer;
  observer.watch(computing, 1s);
  observer.watch(stopped, 10s);
  REQUIRE(observer.look(stopped, 0s) == "no sign of life for 10000 ms");
}

TEST_CASE("progress starts the time anew") {
  Observer observer;
  for (int turn = 0; turn < 10; ++turn) {
    REQUIRE_FALSE(observer.watch(stuck, 9s));
    REQUIRE_FALSE(observer.look(waiting, 100ms));
  }
  REQUIRE_FALSE(observer.watch(stuck, 9s));
  REQUIRE_FALSE(observer.watch(computing, 1h));
  REQUIRE(observer.watch(stuck, 1h) == 10s);
}

TEST_CASE("time in which the peer was not waited for does not count") {
  Observer observer;
  for (int turn = 0; turn < 10; ++turn) {
    REQUIRE_FALSE(observer.watch(stopped, 9s));
    observer.forget();
  }
}

TEST_CASE("time in which the observer did not look does not count") {
  Observer observer;
  REQUIRE_FALSE(observer.look(stuck, 0ns));
  REQUIRE_FALSE(observer.look(stuck, 5h));
  REQUIRE_FALSE(observer.look(stuck, 5h));
  REQUIRE(observer.watch(stuck, 1h) <= 10s);
}
