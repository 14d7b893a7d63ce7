#include "run.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "app_run.hpp"
#include "bench/mpi_job.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "job.hpp"
#include "launcher_channel.hpp"

namespace detour::tool {
namespace {

// The job that the command is for, if it is for all ranks of one together. The others do without MPI; so does what
// starts jobs of its own, unless it is in one of them.
std::unique_ptr<MpiJob> job_for(const std::vector<std::string>& words) {
  if (words.empty()) return nullptr;
  if (words.front() == "tune") {
    return is_in_job() ? std::make_unique<MpiJob>(MpiJob::Ending::together) : nullptr;
  }
  if (words.front() != "bench") return nullptr;
  const auto has = [&words](const std::string& option) {
    return std::ranges::any_of(words, [&](const std::string& word) {
      return word == option || word.starts_with(option + "=");
    });
  };
  if (!has("--recovery") && !has("--survivors")) {
    return std::make_unique<MpiJob>(
        MpiJob::Ending::together, has("--buckets") ? MpiJob::Threads::many : MpiJob::Threads::one);
  }
  if (!is_in_job()) return nullptr;
  // Under mpirun no rank will be lost: that is refused.
  return std::make_unique<MpiJob>(is_under_launcher() ? MpiJob::Ending::each_alone
                                                      : MpiJob::Ending::together);
}

}  // namespace

int run(int argc, char** argv) {
  const auto words = with_help_as_option({argv + std::min(argc, 1), argv + argc});
  const auto job = job_for(words);
  CLI::App app("Plans collective communication round failed cells of a mesh", "detour");
  app.set_version_flag("--version", "detour " DETOUR_VERSION);
  app.require_subcommand(1);
  app.footer(exit_statuses);
  const std::pair<const char*, Action> commands[] = {{"plan", add_plan_command(app)},
                                                     {"policies", add_policies_command(app)},
                                                     {"info", add_info_command(app)},
                                                     {"bench", add_bench_command(app)},
                                                     {"tune", add_tune_command(app)}};
  return run_app(app, words, job.get(), [&] {
    for (const auto& [name, act] : commands) {
      if (app.got_subcommand(name)) act();
    }
    return exit_fine;
  });
}

}  // namespace detour::tool
