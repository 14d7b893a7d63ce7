// Jobs in which ranks are killed, one after the other, until there were enough of them.
//
// The same seed gives the same plan of a job; when exactly a kill hits is up to the machine. A job that fails prints what was
// wrong, keeps its logs, and tells how to run it again.
#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>

#include "job.hpp"

namespace {

using namespace detour::kills;
namespace fs = std::filesystem;

struct Options {
  std::string modes = "spread,burst,down_to_one,early,finalize,pause,nonblocking,planning";
  std::string kinds = kinds_text(all_kinds());
  PlanOptions plan;
  std::uint64_t seed = 1;
  int kill_count = 0;
  int job_count = 0;
  double seconds = 0;
  double progress_seconds = 0;
  int patience_seconds = 60;
  bool goes_on = false;
  bool covers_points = false;
  fs::path programs;
  fs::path logs = fs::temp_directory_path();
};

int read_arguments(int argc, char** argv, Options& options) {
  CLI::App app("Runs jobs, kills ranks, and checks that all others are right.");
  app.add_option("--modes", options.modes, "how ranks are killed: job by job the next one");
  app.add_option("--kinds", options.kinds, "the operations, commas between");
  app.add_option("--program", options.plan.program, "api or mpi; otherwise either");
  app.add_option("--ranks", options.plan.rank_count, "otherwise 2 to 16");
  app.add_option("--seed", options.seed, "of the first job; the next one has the next");
  app.add_option("--kills", options.kill_count, "stop after so many kills");
  app.add_option("--jobs", options.job_count, "stop after so many jobs");
  app.add_option("--seconds", options.seconds, "stop after that time");
  app.add_option("--progress", options.progress_seconds, "tell how far it is, that often");
  app.add_option("--patience", options.patience_seconds, "seconds in which something must happen");
  app.add_flag("--go-on", options.goes_on, "also after a failure");
  app.add_flag("--cover", options.covers_points, "fail if nobody was killed at one of the points");
  app.add_option("--logs", options.logs, "the folder for logs of jobs that fail");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? -1 : 2;
  }
  options.programs = fs::read_symlink("/proc/self/exe").parent_path();
  return 0;
}

class Run {
 public:
  explicit Run(const Options& options)
      : options_(options), modes_(parse_modes(options.modes)), plan_options_(options.plan) {
    plan_options_.kinds = parse_kinds(options.kinds);
  }

  // The exit status.
  int all() {
    while (!is_over()) {
      const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(job_count_);
      one(draw_plan(modes_[seed % modes_.size()], seed, plan_options_));
      tell_progress();
    }
    std::cout << "kills: " << kill_count_ << " kills in " << job_count_ << " jobs, "
              << static_cast<int>(passed_seconds()) << " s, seeds from " << options_.seed << ", "
              << failure_count_ << " jobs failed" << std::endl;
    if (options_.covers_points) tell_points();
    return failure_count_ == 0 && (!options_.covers_points || points_not_hit().empty()) ? 0 : 1;
  }

 private:
  using Clock = std::chrono::steady_clock;

  double passed_seconds() const {
    return std::chrono::duration<double>(Clock::now() - began_).count();
  }

  bool is_over() const {
    if (failure_count_ > 0 && !options_.goes_on) return true;
    const bool has_limit =
        options_.kill_count > 0 || options_.job_count > 0 || options_.seconds > 0;
    if (!has_limit) return job_count_ > 0;
    return (options_.kill_count > 0 && kill_count_ >= wanted_kill_count()) ||
           (options_.job_count > 0 && job_count_ >= options_.job_count) ||
           (options_.seconds > 0 && passed_seconds() >= options_.seconds);
  }

  // Some points are passed by only one of many, whoever comes first: how many kills it takes until the one that was to
  // be killed there is that one is a matter of luck.
  int wanted_kill_count() const {
    constexpr int patience = 5;
    const bool goes_on = options_.covers_points && !points_not_hit().empty();
    return goes_on ? options_.kill_count * patience : options_.kill_count;
  }

  void one(const JobPlan& plan) {
    const JobOptions job{options_.programs, options_.logs,
                         std::chrono::seconds(options_.patience_seconds)};
    const JobResult result = Job(plan, job).run();
    ++job_count_;
    kill_count_ += result.kill_count;
    for (const std::string& point : result.points_hit) ++points_hit_[point];
    if (!result.complaints.empty()) tell_failure(plan, result);
  }

  void tell_failure(const JobPlan& plan, const JobResult& result) {
    ++failure_count_;
    std::cout << "kills: FAILED: " << text_of(plan) << "\n";
    for (const std::string& complaint : result.complaints) std::cout << "  " << complaint << "\n";
    std::cout << "  logs: " << result.folder.string()
              << "\n  again: " << (options_.programs / "kills").string() << " --modes "
              << mode_name(plan.mode) << " --seed " << plan.seed << " --kinds " << options_.kinds;
    if (!plan_options_.program.empty()) std::cout << " --program " << plan_options_.program;
    if (plan_options_.rank_count > 0) std::cout << " --ranks " << plan_options_.rank_count;
    std::cout << std::endl;
  }

  void tell_progress() {
    if (options_.progress_seconds <= 0 || passed_seconds() < next_progress_) return;
    next_progress_ = passed_seconds() + options_.progress_seconds;
    std::cout << "progress: " << kill_count_ << " kills in " << job_count_ << " jobs, "
              << static_cast<int>(passed_seconds()) << " s, " << failure_count_ << " failed"
              << std::endl;
  }

  std::vector<std::string> points_not_hit() const {
    std::vector<std::string> missing;
    for (const Mode mode : modes_) {
      for (const std::string& point : points_of(mode)) {
        if (!points_hit_.contains(point)) missing.push_back(point);
      }
    }
    return missing;
  }

  void tell_points() const {
    std::cout << "kills: at";
    for (const auto& [point, count] : points_hit_) std::cout << " " << point << " " << count;
    std::cout << std::endl;
    for (const std::string& point : points_not_hit()) {
      std::cout << "kills: nobody was killed at " << point << std::endl;
    }
  }

  const Options& options_;
  const std::vector<Mode> modes_;
  PlanOptions plan_options_;
  const Clock::time_point began_ = Clock::now();
  double next_progress_ = 0;
  int job_count_ = 0;
  int kill_count_ = 0;
  int failure_count_ = 0;
  std::map<std::string, int> points_hit_;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (const int status = read_arguments(argc, argv, options); status != 0) {
    return status < 0 ? 0 : status;
  }
  try {
    return Run(options).all();
  } catch (const std::exception& error) {
    std::cerr << "kills: " << error.what() << "\n";
    return 2;
  }
}
