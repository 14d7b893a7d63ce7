#include "bench/recovery/recovery_run.hpp"

#include <algorithm>
#include <iostream>

#include "bench/progress.hpp"
#include "bench/recovery/losing_job.hpp"
#include "bench/recovery/own_job.hpp"
#include "bench/recovery/recovery_rank.hpp"
#include "bench/recovery/recovery_report.hpp"
#include "bench/recovery/survivors_rank.hpp"
#include "detour/detour.h"
#include "exit_status.hpp"
#include "output.hpp"

namespace detour::tool {
namespace {

RecoveryReport empty_report(const RecoveryOptions& options, int rank_count) {
  return {.version = Detour_Version(),
          .rank_count = rank_count,
          .bytes = options.bytes,
          .in_place = options.in_place,
          .policy = options.policy.value_or("")};
}

void write(const RecoveryOptions& options, const RecoveryReport& report) {
  const std::string text =
      options.format == OutputFormat::json ? recovery_json(report) : recovery_text(report);
  if (options.output_path) {
    write_file(*options.output_path, text);
  } else {
    std::cout << text;
  }
  finish_output();
}

// Lines go out at once: the rank that writes them may be the next to die.
void be_a_rank(const RecoveryOptions& options) {
  LosingJob job(options.policy);
  RecoveryReport report = empty_report(options, job.rank_count());
  report.kills = RecoveryRank(options, job).run([&](const KillTimes& kill) {
    if (options.as_lines && job.speaks()) std::cout << to_line(kill) << std::endl;
  });
  if (!options.as_lines && job.speaks()) write(options, report);
}

std::vector<std::string> words_for_rank(const RecoveryOptions& options, bool half_computes,
                                        int kill_count, std::uint64_t seed) {
  std::vector<std::string> words{"bench",
                                 "--recovery",
                                 "--lines",
                                 "--kills",
                                 std::to_string(kill_count),
                                 "--seed",
                                 std::to_string(seed),
                                 "-m",
                                 std::to_string(options.bytes)};
  if (half_computes) words.insert(words.end(), {"--busy", "only"});
  if (options.in_place) words.emplace_back("--inplace");
  if (options.policy) words.insert(words.end(), {"--policy", *options.policy});
  if (options.policy_path) words.insert(words.end(), {"--policy-path", *options.policy_path});
  return words;
}

// Job after job until there are as many kills as asked for.
class Jobs {
 public:
  explicit Jobs(const RecoveryOptions& options)
      : options_(options),
        report_(empty_report(options, *options.rank_count)),
        progress_(options.progress || stderr_is_terminal()),
        wanted_count_(options.kill_count * (options.busy == Busy::half ? 2 : 1)) {}

  RecoveryReport run() {
    for (const bool half_computes : {false, true}) {
      if (options_.busy == (half_computes ? Busy::none : Busy::only)) continue;
      for (int left = options_.kill_count; left > 0;) {
        const int kill_count = std::min(left, options_.kills_per_job);
        run_one(half_computes, kill_count);
        left -= kill_count;
      }
    }
    return report_;
  }

 private:
  void run_one(bool half_computes, int kill_count) {
    const std::size_t count_before = report_.kills.size();
    progress_.show("kill " + std::to_string(count_before + 1) + " of " +
                   std::to_string(wanted_count_));
    run_own_job(
        {.rank_count = *options_.rank_count,
         .words = words_for_rank(options_, half_computes, kill_count, options_.seed + job_count_++),
         .on_line = [this](std::string_view line) {
           if (const auto kill = kill_times_from(line)) report_.kills.push_back(*kill);
         }});
    progress_.clear();
    // Told by whoever was the first of the living, which may change from kill to kill: mpirun keeps no order among ranks.
    std::sort(report_.kills.begin() + static_cast<std::ptrdiff_t>(count_before),
              report_.kills.end(),
              [](const KillTimes& a, const KillTimes& b) { return a.kill_ns < b.kill_ns; });
    if (report_.kills.size() != count_before + static_cast<std::size_t>(kill_count)) {
      throw Defect("a job ended well, but told of " +
                   std::to_string(report_.kills.size() - count_before) + " kills instead of " +
                   std::to_string(kill_count));
    }
  }

  const RecoveryOptions& options_;
  RecoveryReport report_;
  Progress progress_;
  const int wanted_count_;
  std::uint64_t job_count_ = 0;
};

}  // namespace

void run_recovery(const RecoveryOptions& options, bool is_in_job) {
  if (is_in_job) return be_a_rank(options);
  write(options, Jobs(options).run());
}

void run_survivors(const SurvivorsOptions& options, bool is_in_job,
                   const std::vector<std::string>& words) {
  if (is_in_job) {
    const auto& policies = options.bench.policies;
    LosingJob job(policies.empty() ? std::nullopt : std::optional(policies.front()));
    return measure_survivors(options, job);
  }
  run_own_job(
      {.rank_count = *options.rank_count, .words = words, .on_line = [](std::string_view line) {
         std::cout << line << "\n" << std::flush;
       }});
}

}  // namespace detour::tool
