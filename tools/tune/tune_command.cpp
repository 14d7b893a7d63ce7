#include <CLI/CLI.hpp>
#include <memory>

#include "command_line.hpp"
#include "commands.hpp"
#include "job.hpp"
#include "plugins.hpp"
#include "tune/tune_options.hpp"
#include "tune/tune_run.hpp"

namespace detour::tool {
namespace {

constexpr const char* tune_usage =
    "Run alone it starts jobs with detourrun, one after the other; with mpirun it measures that "
    "job,\n"
    "for as many ranks, on one node or several. Have the library read the table by DETOUR_TABLE.\n"
    "\n";

void add_options(CLI::App& command, TuneArguments& arguments) {
  add_text_option(command, "-m,--message-size", "SIZES", arguments.sizes,
                  "SIZE, FROM:TO or FROM:TO:FACTOR, for example 1K:1M:4 [1K:16M]");
  add_text_option(command, "--time", "SECONDS", arguments.time_s, "Of each size, about [2]");
  add_text_option(command, "--ranks", "LIST", arguments.rank_counts,
                  "Of the jobs that are started, separated by commas [2,4,8,16, and on to the "
                  "number of cores]");
  add_text_option(command, "--policies", "NAMES", arguments.policies,
                  "all, or names separated by commas; the built-in choice is measured in any case "
                  "[all]");
  add_text_option(command, "--policy-path", "PATH", arguments.policy_path,
                  "Plug-ins: files or folders, separated by colons");
  add_text_option(command, "-o,--output", "FILE", arguments.output_path,
                  "The table into this file");
  command.add_flag("--progress", arguments.progress,
                   "Show progress where standard error is no terminal, too, as under mpirun");
  command.add_flag("--lines", arguments.as_lines)->group("");
}

void act(const TuneArguments& arguments) {
  const Settings settings = load_settings_and_plugins(arguments.policy_path);
  const TuneOptions options = understand(arguments, is_in_job());
  if (is_in_job()) {
    tune_this_job(options, settings);
  } else {
    tune_by_own_jobs(options, words_for_rank(arguments));
  }
}

}  // namespace

Action add_tune_command(CLI::App& app) {
  const auto arguments = std::make_shared<TuneArguments>();
  CLI::App* command = app.add_subcommand(
      "tune", "Measure ways of doing allreduce, and write a selection table for this machine");
  add_options(*command, *arguments);
  command->footer(std::string(tune_usage) + measuring_exit_statuses);
  return [arguments] { act(*arguments); };
}

}  // namespace detour::tool
