#include <CLI/CLI.hpp>
#include <memory>

#include "bench/bench_options.hpp"
#include "bench/bench_run.hpp"
#include "bench/recovery/recovery_run.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "job.hpp"
#include "plugins.hpp"

namespace detour::tool {
namespace {

constexpr const char* bench_usage =
    "Run it with mpirun; alone it is a job of one rank. --recovery and --survivors are run alone, "
    "and\n"
    "start jobs with detourrun; or in a job, with detourrun --no-preload.\n"
    "\n";

void add_measuring_options(CLI::App& command, BenchArguments& arguments) {
  add_text_option(command, "-m,--message-size", "SIZES", arguments.sizes,
                  "SIZE, FROM:TO or FROM:TO:FACTOR, for example 1K:1M:4 [4:64M]; of buckets SIZE "
                  "or FROM:TO [1M:25M, less where memory is short]");
  add_text_option(command, "-i,--iterations", "N", arguments.iterations,
                  "Timed calls, or steps, of each series and size [1000, fewer for large sizes]");
  add_text_option(command, "-x,--warm-up", "N", arguments.warm_up,
                  "Calls before that [200, fewer for large sizes]");
  add_text_option(command, "--time", "SECONDS", arguments.time_s,
                  "Per size, instead of -i: as many calls as fit into it");
  command.add_flag("--no-validate", arguments.no_validate, "Don't check results");
  command.add_flag("--progress", arguments.progress,
                   "Show progress where standard error is no terminal, too, as under mpirun");
}

void add_call_options(CLI::App& command, BenchArguments& arguments) {
  add_text_option(command, "--type", "TYPE", arguments.type,
                  "float, double, int, long, float16, bfloat16, int8, ... [float]");
  add_text_option(command, "--op", "OP", arguments.operation,
                  "sum, prod, min, max, band, bor, bxor, land, lor, lxor [sum]");
  command.add_flag("--inplace", arguments.in_place, "Results replace inputs");
  add_text_option(command, "--alloc", "WHERE", arguments.memory,
                  "Buffers from malloc or detour [malloc]");
  add_text_option(command, "--policy", "NAMES", arguments.policies,
                  "all, or names separated by commas, each a series of its own");
  add_text_option(command, "--policy-path", "PATH", arguments.policy_path,
                  "Plug-ins: files or folders, separated by colons");
  add_text_option(command, "--transport", "NAME", arguments.transport, "As DETOUR_TRANSPORT");
  add_text_option(command, "--compare", "WHAT", arguments.compare,
                  "Measure another allreduce, too, call by call in turn. mpi: MPI's own; noft: "
                  "Detour's without fault tolerance");
}

void add_bucket_options(CLI::App& command, BenchArguments& arguments) {
  add_optional_text_option(
      command, "--buckets", "COUNT", "50", arguments.buckets,
      "A training step instead of single calls: so many gradient buckets [50], of sizes that are "
      "drawn from -m, all under way at once, and one after the other");
  add_text_option(command, "--compute-us", "N", arguments.compute_us,
                  "Processor time to spend before each bucket is handed over [0]");
  add_text_option(command, "--seed", "N", arguments.seed,
                  "Which sizes are drawn; for --recovery who is killed when [1]");
}

void add_output_options(CLI::App& command, BenchArguments& arguments) {
  command.add_flag("--csv", arguments.csv, "Comma-separated values instead of a table");
  command.add_flag("--json", arguments.json, "JSON instead of a table");
  add_text_option(command, "-o,--output", "FILE", arguments.output_path,
                  "Table, CSV or JSON into this file");
  add_text_option(command, "--svg", "FILE", arguments.svg_path,
                  "Draw a plot into this file too; '-': to standard output instead");
  add_text_option(command, "--plot", "WHAT", arguments.plot, "latency or bandwidth [latency]");
  add_text_option(command, "--limit-gbs", "GB/S", arguments.limit_gbs,
                  "Speed of memory for the plot's limit [measured]");
}

void add_recovery_options(CLI::App& command, BenchArguments& arguments) {
  command.add_flag("--recovery", arguments.recovery,
                   "Kill ranks, and measure how long the others take to get over it");
  command.add_flag("--survivors", arguments.survivors,
                   "Kill ranks, and compare the others with a communicator made without them");
  add_text_option(command, "--ranks", "N", arguments.rank_count,
                  "Of the jobs that are started for these two [8]");
  add_text_option(command, "--kills", "N", arguments.kill_count,
                  "In all [20; in a job 1; for --survivors 2]");
  add_text_option(command, "--kills-per-job", "N", arguments.kills_per_job,
                  "One after the other, among ever fewer ranks [1]");
  add_text_option(
      command, "--busy", "WHAT", arguments.busy,
      "half: as many kills again while half of the survivors compute; only: just those");
  command.add_flag("--lines", arguments.as_lines)->group("");
}

// What was typed, but for one option.
std::vector<std::string> words_without(const CLI::App& command, const std::string& left_out) {
  std::vector<std::string> words{command.get_name()};
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->check_name(left_out)) continue;
    words.push_back("--" + option->get_lnames().front());
    if (option->get_items_expected_min() > 0) words.push_back(option->results().front());
  }
  return words;
}

void act(const BenchArguments& arguments, const CLI::App& command) {
  const Settings settings = load_settings_and_plugins(arguments.policy_path);
  if (!settings.fault_tolerance &&
      (arguments.recovery || arguments.survivors || arguments.compare == "noft")) {
    throw BadInput("DETOUR_FT is off, so there is nothing to measure: unset it");
  }
  if (arguments.recovery) {
    run_recovery(understand_recovery(arguments, is_in_job()), is_in_job());
  } else if (arguments.survivors) {
    run_survivors(understand_survivors(arguments, is_in_job()), is_in_job(),
                  words_without(command, "--ranks"));
  } else {
    run_bench(understand(arguments));
  }
}

}  // namespace

Action add_bench_command(CLI::App& app) {
  const auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command = app.add_subcommand("bench", "Measure allreduce on the ranks of an MPI job");
  add_measuring_options(*command, *arguments);
  add_call_options(*command, *arguments);
  add_bucket_options(*command, *arguments);
  add_output_options(*command, *arguments);
  add_recovery_options(*command, *arguments);
  command->footer(std::string(bench_usage) + measuring_exit_statuses);
  return [arguments, command] { act(*arguments, *command); };
}

}  // namespace detour::tool
