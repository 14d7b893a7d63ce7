// A node of real processes, each with a failure detector, that note what they find where the test can see it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "failure/failure_detector.hpp"
#include "support/child_process.hpp"

namespace detour::test {

// So long that nothing in a test can be owed to its end.
inline constexpr std::chrono::hours for_ever{1};

// Deaths are found by the ring, or not at all.
DetectorOptions ring_only();

enum class Request : int {
  none,
  depart,
  leave_by_exit,
  leave_by_exec,
  end_a_thread,
  destroy,
  fork
};

class Node {
 public:
  static constexpr std::size_t size_max = 16;

  // Returns when every member has added all others.
  explicit Node(std::size_t size, const DetectorOptions& options = ring_only(),
                std::chrono::milliseconds nap = std::chrono::milliseconds(20));

  std::size_t size() const { return processes_.size(); }
  ChildProcess& process(std::size_t member) { return processes_[member]; }
  LifeRecord& record(std::size_t member) { return shared_->slots[member].record; }

  void signal(std::size_t member, int number) const;
  // Has a member do something, without waiting for it.
  void ask(std::size_t member, Request request);
  // True when the member has done what it was asked to, for what it outlives.
  bool has_answered(std::size_t member) const;

  PeerState seen(std::size_t by, std::size_t of) const;
  // Whether the member has been told of exactly these deaths.
  bool sees_dead(std::size_t by, const std::vector<std::size_t>& dead) const;
  bool all_others_see_dead(const std::vector<std::size_t>& dead) const;
  // When the first, and the last, of the others noticed.
  std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds> noticed(std::size_t dead) const;
  std::size_t descriptor_count(std::size_t member) const;

 private:
  struct Slot {
    LifeRecord record;
    Counter doorbell;
    std::atomic<pid_t> pid{0};
    std::atomic<bool> has_joined{false};
    std::atomic<Request> request{Request::none};
    std::array<std::atomic<PeerState>, size_max> states{};
    std::array<std::atomic<std::int64_t>, size_max> dead_since_ns{};
  };
  struct Shared {
    std::array<Slot, size_max> slots;
  };

  int run(std::size_t own, std::size_t size, const DetectorOptions& options,
          std::chrono::milliseconds nap);
  void join(std::size_t own, std::size_t size, FailureDetector& detector);
  void note(std::size_t own, FailureDetector& detector);
  static void answer(Request request, std::unique_ptr<FailureDetector>& detector);

  std::shared_ptr<Shared> shared_;
  std::vector<ChildProcess> processes_;
};

std::chrono::nanoseconds now();

}  // namespace detour::test
