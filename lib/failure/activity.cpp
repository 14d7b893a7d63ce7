#include "failure/activity.hpp"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "near_thread_local.hpp"
#include "user_code.hpp"

namespace detour {
namespace {

constexpr clockid_t no_clock = -1;
DETOUR_NEAR_THREAD_LOCAL clockid_t own_clock = no_clock;

// Always the same for a thread that has ended.
std::int64_t thread_time_ns(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return 0;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

clockid_t Activity::own_thread_clock() {
  if (own_clock == no_clock) {
    clockid_t clock = CLOCK_REALTIME;
    pthread_getcpuclockid(pthread_self(), &clock);
    own_clock = clock;
  }
  return own_clock;
}

// The mutex is held while one is looked at, so that none goes in the meantime.
class Activities {
 public:
  static Activities& instance() {
    // Never destroyed: the detector's thread runs until the very end.
    static auto* const activities = new Activities;
    return *activities;
  }

  void add(Activity& activity) {
    const std::lock_guard lock(mutex_);
    all_.push_back(&activity);
  }

  void remove(Activity& activity) {
    const std::lock_guard lock(mutex_);
    std::erase(all_, &activity);
  }

  // The count is the look at which the one that has stood still for longest was last seen to have moved. Then it changes
  // when all have moved, and not as long as one of them does not.
  OwnProgress look() {
    const bool is_in_user_code = InUserCode::any();
    const std::lock_guard lock(mutex_);
    OwnProgress progress{false, ++look_count_};
    for (Activity* activity : all_) {
      if (!activity->is_inside_.load(std::memory_order_relaxed)) continue;
      const std::uint64_t move_count = activity->move_count_.load(std::memory_order_relaxed);
      const std::int64_t thread_ns =
          thread_time_ns(activity->thread_clock_.load(std::memory_order_relaxed));
      if (is_in_user_code || move_count != activity->seen_move_count_ ||
          thread_ns != activity->seen_thread_ns_) {
        activity->seen_move_count_ = move_count;
        activity->seen_thread_ns_ = thread_ns;
        activity->moved_at_look_ = look_count_;
      }
      progress.is_inside = true;
      progress.progress_count = std::min(progress.progress_count, activity->moved_at_look_);
    }
    return progress;
  }

  bool wait_for(PeerId process) {
    const std::lock_guard lock(mutex_);
    return std::any_of(all_.begin(), all_.end(), [process](const Activity* activity) {
      return activity->is_inside_.load(std::memory_order_relaxed) &&
             std::binary_search(activity->companions_.begin(), activity->companions_.end(),
                                process);
    });
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::vector<Activity*> all_;
  std::uint64_t look_count_ = 0;
};

namespace {

std::vector<PeerId> sorted(std::vector<PeerId> processes) {
  std::sort(processes.begin(), processes.end());
  return processes;
}

}  // namespace

Activity::Activity(std::vector<PeerId> companions) : companions_(sorted(std::move(companions))) {
  Activities::instance().add(*this);
}

Activity::~Activity() {
  Activities::instance().remove(*this);
}

OwnProgress look_at_own_progress() {
  return Activities::instance().look();
}

bool waits_for(PeerId process) {
  return Activities::instance().wait_for(process);
}

}  // namespace detour
