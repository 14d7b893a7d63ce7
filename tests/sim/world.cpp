#include "sim/world.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace detour::sim {
namespace {

// Many times what any scenario takes.
constexpr std::uint64_t step_count_max = 100'000;

WaitPolicy without_patience() {
  WaitPolicy policy;
  policy.spin_count = 0;
  return policy;
}

}  // namespace

template <class... Arguments>
void World::trace(const char* text, const Arguments&... arguments) const {
  if (!traces_) return;
  fmt::print("{:8} us, step {:5}: ", surroundings_.agenda.now_us(), step_count_);
  fmt::print(fmt::runtime(text), arguments...);
  fmt::print("\n");
}

World::World(const Scenario& scenario, std::deque<SharedHeap>& heaps, bool traces)
    : scenario_(scenario),
      traces_(traces),
      detectors_(scenario.process_count, surroundings_, scenario.detection_delay_us_max,
                 [this](int process, int dead) { bury(process, dead); }),
      book_(scenario),
      waiter_(without_patience(), {.progress = {}, .should_stop = [] { return true; }}) {
  surroundings_.random.seed(scenario.seed);
  surroundings_.message_delay_us_max = scenario.message_delay_us_max;
  actors_.resize(static_cast<std::size_t>(scenario.process_count));
  for (int process = 0; process < scenario.process_count; ++process) {
    processes_.emplace_back(process, heaps[static_cast<std::size_t>(process)]);
    // Some are much faster than others.
    actor(process).weight = surroundings_.below(3) == 0 ? 10 : 1;
  }
  make_members();
  if (traces_) fmt::print("{}", describe(scenario));
}

void World::make_members() {
  for (const CommunicatorPlan& plan : scenario_.communicators) {
    groups_.push_back(make_group(plan, processes_));
  }
  for (std::size_t at = 0; at < groups_.size(); ++at) {
    auto& members = members_.emplace_back();
    for (Rank rank = 0; rank < static_cast<Rank>(groups_[at].processes.size()); ++rank) {
      members.push_back(std::make_unique<SimMember>(rank, groups_[at], surroundings_));
      Task task{.communicator = at, .member = members.back().get()};
      for (std::size_t call = 0; call < scenario_.calls.size(); ++call) {
        if (scenario_.calls[call].communicator == at) task.calls.push_back(call);
      }
      actor(groups_[at].processes[static_cast<std::size_t>(rank)]->number())
          .tasks.push_back(std::move(task));
    }
  }
}

RunResult World::run(ResultBits& bits) {
  for (;;) {
    inflict_faults();
    if (surroundings_.agenda.do_next()) continue;
    if (const auto process = choose_process()) {
      for (std::uint64_t turns = 1 + surroundings_.below(4); turns > 0; --turns)
        take_turn(*process);
    } else if (!surroundings_.agenda.is_empty()) {
      surroundings_.agenda.skip_to_next();
    } else {
      break;
    }
    if (step_count_ > step_count_max) return {"it goes on and on (G1)", step_count_};
  }
  if (auto hang = find_hang()) return {hang, step_count_};
  return {check(bits), step_count_};
}

void World::inflict_faults() {
  while (next_kill_ < scenario_.kills.size() &&
         scenario_.kills[next_kill_].at_step <= step_count_) {
    const Kill& planned = scenario_.kills[next_kill_++];
    if (planned.point_count == 0) {
      kill(planned.process);
    } else {
      processes_[static_cast<std::size_t>(planned.process)].fate().end_at_point(
          planned.point_count);
    }
  }
  if (scenario_.pause && !has_paused_ && scenario_.pause->at_step <= step_count_) {
    has_paused_ = true;
    pause(*scenario_.pause);
  }
  if (scenario_.withdrawal && !has_withdrawn_ && scenario_.withdrawal->at_step <= step_count_) {
    has_withdrawn_ = withdraw(scenario_.withdrawal->process);
  }
}

void World::kill(int process) {
  if (actor(process).life == Life::dead) return;
  trace("{} dies", process);
  actor(process).life = Life::dead;
  detectors_.die(process);
}

void World::pause(const Pause& pause) {
  trace("{} stands still", pause.process);
  actor(pause.process).life = Life::paused;
  detectors_.pause(pause.process);
  surroundings_.agenda.plan(pause.us, [this, process = pause.process] {
    trace("{} goes on", process);
    actor(process).life = Life::running;
    detectors_.resume(process);
  });
}

// As the library does when it can't end a call, because there is no memory for instance. Nobody is told but by what
// withdrawing does. False if the process is in no call.
bool World::withdraw(int process) {
  Actor& of = actor(process);
  if (of.life != Life::running) return false;
  const auto task = std::find_if(of.tasks.begin(), of.tasks.end(),
                                 [](const Task& each) { return each.is_under_way; });
  if (task == of.tasks.end()) return false;
  trace("{} call {}: withdraws", process, task->call_number());
  Engine& engine = task->member->engine();
  engine.withdraw();
  book_.record_withdrawal(task->communicator, task->member->rank());
  task->operation = engine.abandon(fenced);
  task->is_asleep = false;
  if (task->operation == nullptr) {
    task->release_buffers();
    task->is_under_way = false;
    ++task->next;
  }
  return true;
}

// As the library does in each communicator, though not in all of them at the same moment.
void World::bury(int process, int dead) {
  trace("{} learns that {} is dead", process, dead);
  for (std::size_t at = 0; at < groups_.size(); ++at) {
    const auto& ranks = scenario_.communicators[at].processes;
    const auto own = std::find(ranks.begin(), ranks.end(), process);
    const auto place = std::find(ranks.begin(), ranks.end(), dead);
    if (own == ranks.end() || place == ranks.end()) continue;
    const SimMember& member = *members_[at][static_cast<std::size_t>(own - ranks.begin())];
    const auto rank = static_cast<Rank>(place - ranks.begin());
    surroundings_.agenda.plan(surroundings_.below(30), [this, process, rank, &member] {
      if (actor(process).life == Life::dead) return;
      seal(member.block(rank));
      processes_[static_cast<std::size_t>(process)].bell().add_one();
    });
  }
}

// One after the other, unless calls overlap: the earliest one first.
bool World::can_run(const Actor& actor, const Task& task) const {
  if (task.has_ended()) return false;
  if (scenario_.is_overlapping) return true;
  return std::none_of(actor.tasks.begin(), actor.tasks.end(), [&](const Task& other) {
    return !other.has_ended() && other.call_number() < task.call_number();
  });
}

bool World::is_awake(int process, const Task& task) const {
  if (!task.is_asleep || task.operation->awaits_room()) return true;
  const WaitList awaited = task.operation->waits_for();
  if (!awaited.counters.empty()) {
    return waiter_.wait_for_all(awaited) != WaitResult::stopped;
  }
  return processes_[static_cast<std::size_t>(process)].bell().load() > task.bell_value;
}

std::optional<int> World::choose_process() {
  std::uint64_t total = 0;
  std::vector<std::pair<int, std::uint64_t>> candidates;
  for (int process = 0; process < scenario_.process_count; ++process) {
    const Actor& of = actor(process);
    if (of.life != Life::running) continue;
    const bool is_ready = std::any_of(of.tasks.begin(), of.tasks.end(), [&](const Task& task) {
      return can_run(of, task) && is_awake(process, task);
    });
    if (!is_ready) continue;
    total += of.weight;
    candidates.emplace_back(process, total);
  }
  if (total == 0) return std::nullopt;
  const std::uint64_t drawn = surroundings_.below(total);
  return std::find_if(candidates.begin(), candidates.end(),
                      [&](const auto& candidate) { return drawn < candidate.second; })
      ->first;
}

void World::take_turn(int process) {
  Actor& of = actor(process);
  if (of.life != Life::running) return;
  std::vector<Task*> ready;
  for (Task& task : of.tasks) {
    if (can_run(of, task) && is_awake(process, task)) ready.push_back(&task);
  }
  if (ready.empty()) return;
  Task& task = *ready[surroundings_.below(ready.size())];
  ++step_count_;
  surroundings_.agenda.let_pass(1 + surroundings_.below(10));
  try {
    step(process, task);
  } catch (const Killed&) {
    trace("{} dies in the middle of its step", process);
    kill(process);
  }
}

void World::step(int process, Task& task) {
  if (!task.is_under_way) {
    begin(process, task);
    return;
  }
  const std::uint64_t bell_value = processes_[static_cast<std::size_t>(process)].bell().load();
  const auto progress = task.operation->step();
  trace("{} call {}: {}", process, task.call_number(),
        progress == Operation::Progress::moved   ? "moved"
        : progress == Operation::Progress::stuck ? "stuck"
                                                 : "ended");
  task.is_asleep = progress == Operation::Progress::stuck;
  task.bell_value = bell_value;
  if (progress == Operation::Progress::ended) end(process, task);
}

void World::Task::release_buffers() {
  if (!mapped_buffers) return;
  mapped_buffers->release();
  mapped_buffers.reset();
}

void World::begin(int process, Task& task) {
  const std::size_t number = task.call_number();
  const CallPlan& plan = scenario_.calls[number];
  const Rank rank = task.member->rank();
  trace("{} call {}: begins as rank {} of communicator {}", process, number, rank,
        task.communicator);
  task.buffers = make_buffers(plan, number, rank);
  task.call = make_call(plan, rank, task.member->combiner(plan.is_commutative), task.buffers);
  if (plan.is_mapped && rank != plan.unmapped_rank) {
    // Of some ranks the others can read the input only.
    const auto what = (number + static_cast<std::size_t>(rank)) % 4 == 0
                          ? MappedBuffers::What::input
                          : MappedBuffers::What::all;
    task.mapped_buffers = MappedBuffers::make(processes_[static_cast<std::size_t>(process)],
                                              task.buffers, task.call, what);
  }
  if (plan.wrong_rank == rank) task.call.header.error = wrong_arguments;
  task.is_under_way = true;
  task.is_asleep = false;
  task.operation = &task.member->begin(plan, task.call, surroundings_.below(5));
}

void World::end(int process, Task& task) {
  const int error = task.operation->error();
  trace("{} call {}: {}, attempt {}", process, task.call_number(), to_text(error),
        task.member->engine().attempt_count());
  task.release_buffers();
  book_.record(task.call_number(), task.member->rank(),
               {error, task.member->engine().contributors(), std::move(task.buffers)});
  task.is_under_way = false;
  ++task.next;
}

// Everybody sleeps. Whoever could have gone on has been let down by whoever should have woken it.
std::optional<std::string> World::find_hang() {
  for (int process = 0; process < scenario_.process_count; ++process) {
    if (actor(process).life != Life::running) continue;
    for (Task& task : actor(process).tasks) {
      if (!task.is_under_way) continue;
      const bool moves = task.operation->step() != Operation::Progress::stuck;
      return fmt::format("call {}: process {} {} (G1)", task.call_number(), process,
                         moves ? "was not woken" : "waits for ever");
    }
  }
  return std::nullopt;
}

std::optional<std::string> World::check(ResultBits& bits) const {
  std::vector<bool> survives;
  std::vector<bool> was_fenced;
  for (int process = 0; process < scenario_.process_count; ++process) {
    const bool is_taken_for_dead = detectors_.is_taken_for_dead(process);
    survives.push_back(!is_taken_for_dead);
    was_fenced.push_back(is_taken_for_dead);
  }
  if (auto violation = book_.find_violation(survives, was_fenced, bits)) return violation;
  return find_memory_in_use(survives);
}

// All calls have ended: whoever waits for memory that a survivor may be reading waits for ever.
std::optional<std::string> World::find_memory_in_use(const std::vector<bool>& survives) const {
  for (std::size_t at = 0; at < groups_.size(); ++at) {
    const auto is_left = [&](std::size_t rank) {
      return book_.is_left(at, static_cast<Rank>(rank), survives);
    };
    for (std::size_t rank = 0; rank < members_[at].size(); ++rank) {
      if (!is_left(rank)) continue;
      for (const std::size_t reader : members_[at][rank]->readers()) {
        if (!is_left(reader)) continue;
        return fmt::format("communicator {}: rank {} has never done with memory of rank {} (G1)",
                           at, reader, rank);
      }
    }
  }
  return std::nullopt;
}

}  // namespace detour::sim
