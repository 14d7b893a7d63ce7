#include "core/helper_thread.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "signals_blocked.hpp"

namespace detour {
namespace {

// How long the thread sleeps at most. New work and a stop ring the bell that it sleeps on, as whatever happens
// to the operations in its care does; where those have several bells, or none, or wait for memory, it has to look by
// itself.
constexpr std::chrono::milliseconds rest_max{100};
constexpr std::chrono::milliseconds look_interval{10};
constexpr std::chrono::milliseconds far_look_interval{1};

}  // namespace

HelperThread& HelperThread::instance() {
  // Never destroyed: its thread may outlive everything else, if the program ends without MPI_Finalize.
  static auto* const helper = new HelperThread;
  return *helper;
}

void HelperThread::start() {
  const std::lock_guard lock(mutex_);
  if (thread_.joinable()) return;
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { run(); });
}

void HelperThread::look_after(const std::shared_ptr<Communicator>& communicator) {
  const std::lock_guard lock(mutex_);
  added_.push_back(communicator);
  wake_up();
}

void HelperThread::wake_up() {
  changed_.notify_one();
  if (bell_ != nullptr) bell_->add_one();
}

void HelperThread::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) return;
    is_stopping_ = true;
    wake_up();
  }
  thread_.join();
}

void HelperThread::run() {
  std::vector<std::shared_ptr<Communicator>> busy;
  while (wait_for_work(busy)) {
    const auto first = busy.front();
    const Counter* bell = first->bell();
    const std::uint64_t bell_value = bell != nullptr ? bell->load() : 0;
    advance(busy);
    if (!busy.empty() && busy.front() == first) rest(busy, bell_value);
    const std::lock_guard lock(mutex_);
    bell_ = nullptr;
  }
}

bool HelperThread::wait_for_work(std::vector<std::shared_ptr<Communicator>>& busy) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_stopping_ || !busy.empty() || !added_.empty(); });
  for (auto& communicator : added_) {
    if (std::find(busy.begin(), busy.end(), communicator) == busy.end()) {
      busy.push_back(std::move(communicator));
    }
  }
  added_.clear();
  if (!busy.empty()) bell_ = busy.front()->bell();
  return !is_stopping_;
}

// Those that a thread of the program attends to are handed over again when it stops doing so, if there is anything left
// to do. Two threads that both did it would only wake each other.
void HelperThread::advance(std::vector<std::shared_ptr<Communicator>>& busy) {
  std::erase_if(busy, [](const auto& communicator) {
    return communicator->is_attended() || !communicator->advance_queue();
  });
}

// On the bell of the first: almost always there is one heap, and one bell.
void HelperThread::rest(const std::vector<std::shared_ptr<Communicator>>& busy,
                        std::uint64_t bell_value) const {
  Counter* const bell = busy.front()->bell();
  auto time = rest_max;
  for (const auto& communicator : busy) {
    if (communicator->bell() != bell || communicator->awaits_room()) {
      time = std::min(time, look_interval);
    }
    if (communicator->reaches_far()) time = std::min(time, far_look_interval);
  }
  if (bell != nullptr) {
    bell->sleep_while_below(bell_value + 1, time);
  } else {
    std::this_thread::sleep_for(time);
  }
}

}  // namespace detour
