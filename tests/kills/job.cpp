#include "job.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "verdict.hpp"

namespace detour::kills {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

fs::path make_folder(const fs::path& logs) {
  std::string name = logs / "job-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("no folder can be made in " + logs.string());
  }
  return name;
}

std::string mark_of(const fs::path& folder) {
  return "KILLS_JOB=" + folder.string();
}

ScriptOptions script_options(const JobPlan& plan) {
  return {plan.seed, plan.step_count, plan.rank_count, plan.kinds, plan.teams};
}

}  // namespace

Job::Job(const JobPlan& plan, const JobOptions& options)
    : plan_(plan),
      options_(options),
      script_(draw_script(script_options(plan))),
      doomed_(plan.doomed()) {}

JobResult Job::run() {
  start();
  watch();
  judge();
  if (result_.complaints.empty()) fs::remove_all(result_.folder);
  return std::move(result_);
}

std::vector<std::string> Job::command() const {
  std::vector<std::string> command{options_.programs / "detourrun"};
  if (plan_.uses_interface) command.emplace_back("--no-preload");
  for (const char* option : {"--oversubscribe", "--bind-to", "none", "-np"}) {
    command.emplace_back(option);
  }
  command.push_back(std::to_string(plan_.rank_count));
  command.push_back(options_.programs / (plan_.uses_interface ? "kills_api" : "kills_mpi"));
  command.push_back(result_.folder);
  command.push_back(std::to_string(plan_.seed));
  command.push_back(std::to_string(plan_.step_count));
  command.push_back(kinds_text(plan_.kinds));
  command.push_back(teams_text(plan_.teams));
  return command;
}

std::vector<std::string> Job::environment() const {
  std::vector<std::string> environment{"OMPI_ALLOW_RUN_AS_ROOT=1",
                                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", mark_of(result_.folder)};
  environment.insert(environment.end(), plan_.environment.begin(), plan_.environment.end());
  std::string faults;
  for (const FaultPlace& fault : plan_.faults) {
    faults += (faults.empty() ? "" : ",") + fault.point + ":" + std::to_string(fault.rank) + ":" +
              std::to_string(fault.passing);
  }
  if (!faults.empty()) environment.push_back("_DETOUR_FAULT=" + faults);
  return environment;
}

void Job::start() {
  result_.folder = make_folder(options_.logs);
  for (int rank = 0; rank < plan_.rank_count; ++rank) {
    files_.push_back(&create_rank_file(rank_file_path(result_.folder, rank)));
  }
  // Ranks that kill themselves may do so at any time from now on.
  for (const FaultPlace& fault : plan_.faults) {
    files_[static_cast<std::size_t>(fault.rank)]->is_doomed.store(true);
  }
  launcher_ = start_process(command(), environment(), result_.folder / "output");
  last_progress_time_ = Clock::now();
}

void Job::watch() {
  while (waitpid(launcher_, &launcher_status_, WNOHANG) == 0) {
    for (int rank = 0; rank < plan_.rank_count; ++rank) {
      const pid_t pid = files_[static_cast<std::size_t>(rank)]->pid.load();
      if (pid != 0 && !processes_.contains(rank)) processes_.emplace(rank, pid);
    }
    if (!gate_is_open_ && all_are_at_the_gate()) open_gate();
    if (gate_is_open_) carry_out_due_events();
    resume_due();
    const bool has_complaint = std::any_of(files_.begin(), files_.end(), [](const RankFile* file) {
      return file->has_complaint.load();
    });
    if (has_complaint || has_stalled()) {
      stop();
      return;
    }
    std::this_thread::sleep_for(microseconds(100));
  }
}

// Those who are going to kill themselves may never come.
bool Job::all_are_at_the_gate() const {
  return std::all_of(files_.begin(), files_.end(), [](const RankFile* file) {
    return file->phase.load() >= Phase::initialized || file->is_doomed.load();
  });
}

// Some of those who are to die before it die while it opens.
void Job::open_gate() {
  while (next_event_ < plan_.events.size() && plan_.events[next_event_].trigger == Trigger::gate) {
    carry_out(plan_.events[next_event_++]);
    std::this_thread::sleep_for(microseconds(plan_.events[next_event_ - 1].delay_us));
  }
  for (RankFile* file : files_) file->gate_is_open.store(true);
  gate_is_open_ = true;
}

bool Job::has_come(const Event& event) const {
  return std::any_of(files_.begin(), files_.end(), [&](const RankFile* file) {
    if (event.trigger == Trigger::finalizing) return file->phase.load() >= Phase::finalizing;
    return file->entered_count.load() > event.step;
  });
}

void Job::carry_out_due_events() {
  while (next_event_ < plan_.events.size()) {
    const Event& event = plan_.events[next_event_];
    if (!event_has_come_) {
      if (!has_come(event)) return;
      event_has_come_ = true;
      event_time_ = Clock::now() + microseconds(event.delay_us);
    }
    if (Clock::now() < event_time_) return;
    carry_out(event);
    ++next_event_;
    event_has_come_ = false;
  }
}

void Job::carry_out(const Event& event) {
  for (const int rank : event.targets) {
    const auto found = processes_.find(rank);
    if (found == processes_.end()) continue;
    if (event.pause_ms > 0) {
      found->second.send(SIGSTOP);
      resumptions_.push_back({Clock::now() + milliseconds(event.pause_ms), rank});
    } else {
      files_[static_cast<std::size_t>(rank)]->is_doomed.store(true);
      found->second.send(SIGKILL);
    }
  }
}

void Job::resume_due() {
  std::erase_if(resumptions_, [this](const Resumption& resumption) {
    if (Clock::now() < resumption.at) return false;
    processes_.at(resumption.rank).send(SIGCONT);
    return true;
  });
}

bool Job::has_stalled() {
  std::uint64_t progress = 0;
  for (const RankFile* file : files_) {
    progress += file->entered_count.load() + static_cast<std::uint64_t>(file->phase.load());
  }
  if (progress != last_progress_) {
    last_progress_ = progress;
    last_progress_time_ = Clock::now();
  }
  if (Clock::now() - last_progress_time_ < options_.patience) return false;
  result_.complaints.push_back("nothing has happened for " +
                               std::to_string(options_.patience.count()) +
                               " s: backtraces of all ranks are in the folder");
  write_backtraces();
  return true;
}

void Job::write_backtraces() const {
  for (const auto& [rank, process] : processes_) {
    if (process.has_ended()) continue;
    const pid_t debugger =
        start_process({"timeout", "30", "gdb", "-p", std::to_string(process.pid()), "-batch", "-ex",
                       "thread apply all backtrace"},
                      {}, result_.folder / ("backtrace-" + std::to_string(rank)));
    waitpid(debugger, nullptr, 0);
  }
}

void Job::stop() {
  // What is stopped would not hear it.
  for (const Resumption& resumption : resumptions_) processes_.at(resumption.rank).send(SIGCONT);
  kill(launcher_, SIGTERM);
  const auto end = Clock::now() + seconds(20);
  while (waitpid(launcher_, &launcher_status_, WNOHANG) == 0) {
    if (Clock::now() > end) kill(launcher_, SIGKILL);
    std::this_thread::sleep_for(milliseconds(10));
  }
  for (const auto& [rank, process] : processes_) process.send(SIGKILL);
}

// Whoever dies while communicators are made may leave the others in a call that MPI can't take back. The job must have said
// so and ended; which of its ranks had died before, and where, is not known then.
bool Job::was_hopeless() const {
  const bool somebody_was_starting =
      std::any_of(plan_.faults.begin(), plan_.faults.end(), [this](const FaultPlace& fault) {
        return files_[static_cast<std::size_t>(fault.rank)]->phase.load() < Phase::initialized;
      });
  const bool has_failed = WIFEXITED(launcher_status_) && WEXITSTATUS(launcher_status_) != 0;
  std::ifstream output(result_.folder / "output");
  const std::string said{std::istreambuf_iterator(output), {}};
  return somebody_was_starting && has_failed &&
         said.find("MPI can't take that call back") != std::string::npos;
}

void Job::judge() {
  if (was_hopeless()) {
    judge_leftovers();
    return;
  }
  const std::vector<const RankFile*> files(files_.begin(), files_.end());
  auto between_ranks = kills::judge(script_, files, doomed_);
  auto& complaints = result_.complaints;
  complaints.insert(complaints.end(), between_ranks.begin(), between_ranks.end());
  const bool is_fine = WIFEXITED(launcher_status_) && WEXITSTATUS(launcher_status_) == 0;
  if (!is_fine && complaints.empty()) {
    complaints.push_back("detourrun ended with wait status " + std::to_string(launcher_status_));
  }
  judge_leftovers();
  count_kills();
}

void Job::judge_leftovers() {
  const auto end = Clock::now() + seconds(3);
  auto left = processes_with(mark_of(result_.folder));
  while (!left.empty() && Clock::now() < end) {
    std::this_thread::sleep_for(milliseconds(20));
    left = processes_with(mark_of(result_.folder));
  }
  for (const pid_t pid : left) {
    result_.complaints.push_back("process " + std::to_string(pid) + " is left behind");
    kill(pid, SIGKILL);
  }
  std::vector<pid_t> owners;
  for (const RankFile* file : files_) owners.push_back(file->pid.load());
  for (const std::string& name : memory_of(owners)) {
    result_.complaints.push_back("/dev/shm/" + name + " is left behind");
  }
}

// Not those who got away.
void Job::count_kills() {
  for (const int rank : doomed_) {
    const RankFile& file = *files_[static_cast<std::size_t>(rank)];
    if (file.phase.load() == Phase::done || !processes_.contains(rank)) continue;
    ++result_.kill_count;
    for (const FaultPlace& fault : plan_.faults) {
      if (fault.rank == rank) result_.points_hit.push_back(fault.point);
    }
  }
}

}  // namespace detour::kills
