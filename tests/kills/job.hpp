// A job under detourrun, with all that is done to it, and the verdict on it.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "job_plan.hpp"
#include "process_watch.hpp"
#include "rank_file.hpp"

namespace detour::kills {

struct JobOptions {
  std::filesystem::path programs;     // the folder with detourrun and the subjects
  std::filesystem::path logs;         // each job has a folder in it
  std::chrono::seconds patience{60};  // with a job in which nothing happens
};

struct JobResult {
  std::vector<std::string> complaints;  // none if all is well
  int kill_count = 0;
  std::vector<std::string> points_hit;
  std::filesystem::path folder;  // removed if all was well
};

class Job {
 public:
  Job(const JobPlan& plan, const JobOptions& options);

  JobResult run();

 private:
  using Clock = std::chrono::steady_clock;

  struct Resumption {
    Clock::time_point at;
    int rank;
  };

  std::vector<std::string> command() const;
  std::vector<std::string> environment() const;
  void start();
  void watch();
  void open_gate();
  void carry_out_due_events();
  bool has_come(const Event& event) const;
  void carry_out(const Event& event);
  void resume_due();
  bool has_stalled();
  void write_backtraces() const;
  void stop();
  bool was_hopeless() const;
  void judge();
  void judge_leftovers();
  void count_kills();
  bool all_are_at_the_gate() const;

  const JobPlan plan_;
  const JobOptions options_;
  const std::vector<Step> script_;
  const std::vector<int> doomed_;
  JobResult result_;
  std::vector<RankFile*> files_;
  std::map<int, ProcessWatch> processes_;  // of ranks that have begun
  pid_t launcher_ = -1;
  int launcher_status_ = -1;
  bool gate_is_open_ = false;
  std::size_t next_event_ = 0;
  bool event_has_come_ = false;
  Clock::time_point event_time_;
  std::vector<Resumption> resumptions_;
  std::uint64_t last_progress_ = 0;
  Clock::time_point last_progress_time_;
};

}  // namespace detour::kills
