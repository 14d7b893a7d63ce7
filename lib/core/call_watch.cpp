#include "core/call_watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include "core/dead_ranks.hpp"
#include "core/deaths.hpp"
#include "launcher_channel.hpp"
#include "log.hpp"
#include "signals_blocked.hpp"

namespace detour {
namespace {

constexpr int status_of_hopeless_job = 1;

// The armed calls, and the thread that looks at them once somebody has died.
class Watched : public DeathObserver {
 public:
  static Watched& instance() {
    // Never destroyed: its thread runs until the very end.
    static auto* const watched = new Watched;
    return *watched;
  }

  std::list<WatchedCall>::iterator add(WatchedCall call) {
    const std::lock_guard lock(mutex_);
    return calls_.insert(calls_.end(), std::move(call));
  }

  void remove(std::list<WatchedCall>::iterator call) {
    const std::lock_guard lock(mutex_);
    calls_.erase(call);
  }

  // In the detector's thread, which must not wait: whom it concerns is for the other thread to find out.
  void on_death(PeerId) override {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_thread_, true)) return;
    try {
      const SignalsBlocked blocked;
      std::thread([this] { run(); }).detach();
    } catch (const std::exception& error) {
      has_thread_ = false;
      log(LogLevel::warn, "calls that wait for the dead may hang: {}", error.what());
    }
  }

 private:
  Watched() { Deaths::instance().add_observer(*this); }

  void run() {
    constexpr std::chrono::milliseconds look_interval{500};
    for (;;) {
      std::this_thread::sleep_for(look_interval);
      if (const auto hopeless = find_hopeless()) {
        end_job_in_call(hopeless->function, dead_among(*hopeless->members));
        return;
      }
    }
  }

  std::optional<WatchedCall> find_hopeless() {
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(mutex_);
    for (WatchedCall& call : calls_) {
      if (!call.hopeless_since && !dead_among(*call.members).empty()) call.hopeless_since = now;
      if (call.hopeless_since && now - *call.hopeless_since > hopeless_call_patience) return call;
    }
    return std::nullopt;
  }

  std::mutex mutex_;  // guards what follows
  std::list<WatchedCall> calls_;
  bool has_thread_ = false;
};

std::string list_of(const std::vector<int>& ranks) {
  std::string list;
  for (const int rank : ranks) list += (list.empty() ? "" : ", ") + std::to_string(rank);
  return list;
}

}  // namespace

CallWatch::CallWatch(const char* function, WorldRanks members)
    : entry_(Watched::instance().add({function, std::move(members)})) {}

CallWatch::~CallWatch() {
  Watched::instance().remove(entry_);
}

void end_job_in_call(const char* function, const std::vector<int>& dead_members) {
  const std::string words = std::string(function) + " waits for rank " + list_of(dead_members) +
                            ", which died; MPI can't take that call back";
  if (announce_loss(words)) return;
  std::fprintf(stderr, "detour: %s\n", words.c_str());
  ::_exit(status_of_hopeless_job);
}

std::vector<int> dead_among(const std::vector<int>& members) {
  std::vector<int> dead;
  std::copy_if(members.begin(), members.end(), std::back_inserter(dead), world_rank_is_dead);
  return dead;
}

}  // namespace detour
