// Runs one scenario, on one thread: one step of one process at a time, in an order that the seed decides.
//
// A process that finds nothing to do sleeps until what its operation said it waits for has happened, as the library's
// driver would, but without a limit of time. When everybody sleeps and nothing is going to happen any more, all must
// have ended.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shm/waiter.hpp"
#include "sim/mapped_buffers.hpp"
#include "sim/outcome_book.hpp"
#include "sim/scenario.hpp"
#include "sim/sim_detectors.hpp"
#include "sim/sim_member.hpp"

namespace detour::sim {

struct RunResult {
  std::optional<std::string> violation;  // in one line
  std::uint64_t step_count = 0;
};

class World {
 public:
  // A heap for every process. Traces go to standard output.
  World(const Scenario& scenario, std::deque<SharedHeap>& heaps, bool traces);

  // Messages don't pass between these processes, by bits, and the others.
  void cut_off(std::uint64_t processes) { surroundings_.cuts.cut({processes}); }

  RunResult run(ResultBits& bits);

 private:
  enum class Life { running, paused, dead };

  // The calls of one process on one communicator, and the one under way.
  struct Task {
    std::size_t communicator = 0;
    SimMember* member = nullptr;
    std::vector<std::size_t> calls{};
    std::size_t next = 0;
    bool is_under_way = false;
    CallBuffers buffers{};
    std::optional<MappedBuffers> mapped_buffers{};
    Call call{};
    Operation* operation = nullptr;
    bool is_asleep = false;
    std::uint64_t bell_value = 0;  // before the step that changed nothing

    bool has_ended() const { return next == calls.size(); }
    std::size_t call_number() const { return calls[next]; }
    void release_buffers();
  };
  struct Actor {
    Life life = Life::running;
    std::uint64_t weight = 1;
    std::vector<Task> tasks;
  };

  void make_members();
  void inflict_faults();
  void kill(int process);
  void pause(const Pause& pause);
  bool withdraw(int process);
  void bury(int process, int dead);
  bool can_run(const Actor& actor, const Task& task) const;
  bool is_awake(int process, const Task& task) const;
  std::optional<int> choose_process();
  void take_turn(int process);
  void step(int process, Task& task);
  void begin(int process, Task& task);
  void end(int process, Task& task);
  std::optional<std::string> find_hang();
  std::optional<std::string> check(ResultBits& bits) const;
  std::optional<std::string> find_memory_in_use(const std::vector<bool>& survives) const;
  Actor& actor(int process) { return actors_[static_cast<std::size_t>(process)]; }
  template <class... Arguments>
  void trace(const char* text, const Arguments&... arguments) const;

  const Scenario& scenario_;
  const bool traces_;
  Surroundings surroundings_;
  std::deque<SimProcess> processes_;
  std::deque<SimGroup> groups_;                                   // by communicator
  std::vector<std::vector<std::unique_ptr<SimMember>>> members_;  // by communicator and rank
  std::vector<Actor> actors_;
  SimDetectors detectors_;
  OutcomeBook book_;
  Waiter waiter_;  // that never waits
  std::size_t next_kill_ = 0;
  bool has_paused_ = false;
  bool has_withdrawn_ = false;
  std::uint64_t step_count_ = 0;
};

}  // namespace detour::sim
