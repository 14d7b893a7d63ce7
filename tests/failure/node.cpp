#include "failure/node.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace detour::test {

DetectorOptions ring_only() {
  DetectorOptions options;
  options.slice = for_ever;
  options.slice_until_confirmed = for_ever;
  return options;
}

std::chrono::nanoseconds now() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

Node::Node(std::size_t size, const DetectorOptions& options, std::chrono::milliseconds nap)
    : shared_(make_shared_scratch<Shared>()) {
  for (std::size_t member = 0; member < size; ++member) {
    processes_.emplace_back([=, this] { return run(member, size, options, nap); });
  }
  const bool have_joined = eventually([&] {
    return std::all_of(shared_->slots.begin(), shared_->slots.begin() + static_cast<long>(size),
                       [](const Slot& slot) { return slot.has_joined.load(); });
  });
  if (!have_joined) throw std::runtime_error("the processes of a node did not get ready");
}

int Node::run(std::size_t own, std::size_t size, const DetectorOptions& options,
              std::chrono::milliseconds nap) {
  Slot& slot = shared_->slots[own];
  auto started = FailureDetector::start({own, ::getpid(), &slot.record, &slot.doorbell}, options);
  if (!started.ok()) throw std::runtime_error(started.reason());
  auto detector = std::move(started).value();
  slot.pid = ::getpid();
  join(own, size, *detector);
  slot.has_joined = true;
  for (;;) {
    const std::uint64_t rung = slot.doorbell.load();
    if (detector) note(own, *detector);
    const Request request = slot.request;
    if (request != Request::none) answer(request, detector);
    slot.request = Request::none;
    slot.doorbell.sleep_while_below(rung + 1, nap);
  }
}

void Node::join(std::size_t own, std::size_t size, FailureDetector& detector) {
  for (std::size_t member = 0; member < size; ++member) {
    if (member == own) continue;
    Slot& peer = shared_->slots[member];
    eventually([&] { return peer.pid.load() != 0; });
    detector.add_peer({member, peer.pid, &peer.record, &peer.doorbell});
  }
  detector.settle();
}

void Node::note(std::size_t own, FailureDetector& detector) {
  Slot& slot = shared_->slots[own];
  for (const PeerChange& change : detector.take_changes()) {
    if (change.state == PeerState::dead) {
      const std::chrono::nanoseconds time = change.noticed.time_since_epoch();
      slot.dead_since_ns[change.id] = time.count();
    }
    slot.states[change.id] = change.state;
  }
}

void Node::answer(Request request, std::unique_ptr<FailureDetector>& detector) {
  switch (request) {
    case Request::none:
      return;
    case Request::depart:
      detector->depart();
      return;
    case Request::leave_by_exit:
      std::_Exit(5);
    case Request::leave_by_exec:
      ::execlp("sleep", "sleep", "60", nullptr);
      return;
    case Request::end_a_thread:
      std::thread([] {}).join();
      return;
    case Request::destroy:
      detector.reset();
      return;
    case Request::fork: {
      const pid_t child = ::fork();
      if (child == 0) {
        detector.reset();
        ::_exit(0);
      }
      ::waitpid(child, nullptr, 0);
      return;
    }
  }
}

void Node::signal(std::size_t member, int number) const {
  ::kill(processes_[member].pid(), number);
}

void Node::ask(std::size_t member, Request request) {
  shared_->slots[member].request = request;
  shared_->slots[member].doorbell.add_one();
}

bool Node::has_answered(std::size_t member) const {
  return shared_->slots[member].request.load() == Request::none;
}

PeerState Node::seen(std::size_t by, std::size_t of) const {
  return shared_->slots[by].states[of];
}

bool Node::sees_dead(std::size_t by, const std::vector<std::size_t>& dead) const {
  for (std::size_t member = 0; member < size(); ++member) {
    const bool is_dead = std::find(dead.begin(), dead.end(), member) != dead.end();
    if (has_died(seen(by, member)) != is_dead) return false;
  }
  return true;
}

bool Node::all_others_see_dead(const std::vector<std::size_t>& dead) const {
  for (std::size_t member = 0; member < size(); ++member) {
    const bool is_dead = std::find(dead.begin(), dead.end(), member) != dead.end();
    if (!is_dead && !sees_dead(member, dead)) return false;
  }
  return true;
}

std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds> Node::noticed(
    std::size_t dead) const {
  std::int64_t first = INT64_MAX;
  std::int64_t last = 0;
  for (std::size_t member = 0; member < size(); ++member) {
    const std::int64_t time = shared_->slots[member].dead_since_ns[dead];
    if (time == 0) continue;
    first = std::min(first, time);
    last = std::max(last, time);
  }
  return {std::chrono::nanoseconds(first), std::chrono::nanoseconds(last)};
}

std::size_t Node::descriptor_count(std::size_t member) const {
  const auto folder = "/proc/" + std::to_string(processes_[member].pid()) + "/fd";
  const std::filesystem::directory_iterator files(folder);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

}  // namespace detour::test
