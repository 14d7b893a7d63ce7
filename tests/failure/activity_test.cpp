#include "failure/activity.hpp"

#include <pthread.h>

#include <ctime>
#include <optional>
#include <thread>

#include "support/catch.hpp"
#include "user_code.hpp"

using namespace detour;

namespace {

// Whether the looks of a peer's, one after the other, would show progress.
bool gets_on() {
  const std::uint64_t before = look_at_own_progress().progress_count;
  return look_at_own_progress().progress_count != before;
}

// In a thread that uses no time afterwards: this one, which looks, does. Joining is not enough: the kernel lets go of who
// joins before it has taken the other thread, and the time that it still uses, off its lists.
template <class Body>
void elsewhere(Body body) {
  clockid_t clock{};
  std::thread([&] {
    pthread_getcpuclockid(pthread_self(), &clock);
    body();
  }).join();
  timespec time{};
  while (clock_gettime(clock, &time) == 0) std::this_thread::yield();
}

class InsideElsewhere {
 public:
  explicit InsideElsewhere(Activity& activity) : activity_(activity) {
    elsewhere([&] { activity_.begin(); });
  }
  ~InsideElsewhere() { activity_.end(); }

 private:
  Activity& activity_;
};

}  // namespace

TEST_CASE("a process without an operation under way is outside and gets on") {
  Activity activity({1, 2});
  REQUIRE_FALSE(look_at_own_progress().is_inside);
  REQUIRE(gets_on());
  REQUIRE_FALSE(waits_for(1));
}

TEST_CASE("a process waits for those of the communicator that has an operation under way") {
  Activity one({7, 3, 5});
  Activity other({8});
  const Inside inside(one);
  REQUIRE(look_at_own_progress().is_inside);
  for (const PeerId peer : {3U, 5U, 7U}) REQUIRE(waits_for(peer));
  for (const PeerId peer : {4U, 8U}) REQUIRE_FALSE(waits_for(peer));
}

TEST_CASE("an operation gets on as long as it moves") {
  Activity activity({1});
  std::optional<InsideElsewhere> inside(activity);
  look_at_own_progress();
  REQUIRE_FALSE(gets_on());
  const std::uint64_t before = look_at_own_progress().progress_count;
  elsewhere([&] { activity.moved(); });
  REQUIRE(look_at_own_progress().progress_count != before);
  REQUIRE_FALSE(gets_on());
  inside.reset();
  REQUIRE_FALSE(look_at_own_progress().is_inside);
  inside.emplace(activity);
  REQUIRE(look_at_own_progress().progress_count != before);
}

TEST_CASE("one that does not move is not hidden by others that do") {
  Activity stuck({1});
  Activity busy({2});
  const InsideElsewhere inside(stuck);
  const InsideElsewhere inside_too(busy);
  look_at_own_progress();
  for (int turn = 0; turn < 10; ++turn) {
    elsewhere([&] { busy.moved(); });
    REQUIRE_FALSE(gets_on());
  }
  // In different looks, so that never both have moved since the last.
  const std::uint64_t before = look_at_own_progress().progress_count;
  elsewhere([&] { stuck.moved(); });
  look_at_own_progress();
  elsewhere([&] { busy.moved(); });
  REQUIRE(look_at_own_progress().progress_count > before);
}

TEST_CASE("a thread that works gets on, however long its turn takes") {
  Activity activity({1});
  const Inside inside(activity);
  look_at_own_progress();
  REQUIRE(gets_on());
}

TEST_CASE("an operation in code of the program's gets on") {
  Activity activity({1});
  const InsideElsewhere inside(activity);
  look_at_own_progress();
  REQUIRE_FALSE(gets_on());
  const InUserCode in_user_code;
  REQUIRE(gets_on());
}

TEST_CASE("a communicator that is gone is not looked at") {
  {
    Activity activity({1});
    activity.begin();
    REQUIRE(waits_for(1));
  }
  REQUIRE_FALSE(waits_for(1));
  REQUIRE_FALSE(look_at_own_progress().is_inside);
}
