// The program behind benchmarks/compare: ranks measure, and what they found is put together.
//
//   measuring        what a rank does
//   open_mpi_peers   the allreduces to compare with
//   memory_limit     the fastest that any could be
//   bare_exchange    what it takes to sum, and nothing else, where buffers can be read by their owners alone
//   bare_mapped_sum  and where they can be read by all
//   limit_entrants   how all these take part
//   comparison       what a job found, by ../alternation
//   gate             whether that is good enough
//   report           tables and plots
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "app_run.hpp"
#include "bench/bench_options.hpp"
#include "bench/mpi_job.hpp"
#include "bench/size_range.hpp"
#include "command_line.hpp"
#include "compare/comparison_json.hpp"
#include "compare/measuring.hpp"
#include "compare/open_mpi_peers.hpp"
#include "compare/report.hpp"
#include "exit_status.hpp"

namespace detour::tool {
namespace {

struct MeasureArguments {
  std::optional<std::string> sizes = {};
  std::optional<std::string> time_s = {};
  std::optional<std::string> output_path = {};
  bool in_place = false;
  bool on_terminal = false;
};

struct ReportArguments {
  std::vector<std::string> paths = {};
  std::vector<std::string> facts = {};
  std::vector<std::string> notes = {};
  std::optional<std::string> folder = {};
  bool gate = false;
};

MeasuringOptions understand(const MeasureArguments& arguments) {
  return {.sizes_bytes = whole_elements(parse_size_range("-m", arguments.sizes.value_or("4:64M:4")),
                                        sizeof(float)),
          .in_place = arguments.in_place,
          .budget_s = parse_positive("--time", arguments.time_s.value_or("1")),
          .output_path = arguments.output_path.value_or("comparison.json"),
          .as_lines = !arguments.on_terminal};
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw BadInput("can't read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "NAME=VALUE".
Fact parse_fact(const std::string& text) {
  const auto at = text.find('=');
  if (at == std::string::npos) throw BadInput("--fact is NAME=VALUE, not '" + text + "'");
  return {text.substr(0, at), text.substr(at + 1)};
}

int report(const ReportArguments& arguments) {
  Report report{.facts = describe_machine(), .comparisons = {}, .notes = arguments.notes};
  for (const std::string& path : arguments.paths) {
    add(report, comparison_from_json(path, text_of_file(path)));
  }
  for (const std::string& fact : arguments.facts) report.facts.push_back(parse_fact(fact));
  report.facts.push_back({"MPI", report.comparisons.front().mpi_version});
  report.facts.push_back({"Detour", report.comparisons.front().detour_version});
  if (arguments.folder) write_report(report, *arguments.folder);
  const auto checks = make_checks(report.comparisons);
  std::cout << gate_text(checks);
  return arguments.gate && !gate_holds(checks) ? exit_defect : exit_fine;
}

int measure(const MeasureArguments& arguments) {
  measure(understand(arguments));
  return exit_fine;
}

// What would be measured, in bytes, for scripts; and a complaint before any job is started.
int print_sizes(const MeasureArguments& arguments) {
  for (const std::uint64_t bytes : understand(arguments).sizes_bytes) std::cout << bytes << "\n";
  return exit_fine;
}

void add_plan_options(CLI::App& command, MeasureArguments& arguments) {
  add_text_option(command, "-m,--message-size", "SIZES", arguments.sizes,
                  "SIZE, FROM:TO or FROM:TO:FACTOR [4:64M:4]");
  add_text_option(command, "--time", "SECONDS", arguments.time_s, "Of each size, about [1]");
}

void add_measure_options(CLI::App& command, MeasureArguments& arguments) {
  add_plan_options(command, arguments);
  add_text_option(command, "-o,--output", "FILE", arguments.output_path,
                  "What was measured, as JSON [comparison.json]");
  command.add_flag("--inplace", arguments.in_place, "Results replace inputs");
  command.add_flag("--terminal", arguments.on_terminal, "Show which size is being measured");
}

void add_report_options(CLI::App& command, ReportArguments& arguments) {
  add_text_list_option(command, "--from", "FILE", arguments.paths, "What a job has measured")
      ->required();
  add_text_option(command, "-o,--output", "FOLDER", arguments.folder,
                  "Write tables and plots there");
  add_text_list_option(command, "--fact", "NAME=VALUE", arguments.facts,
                       "Something else to be known of the run");
  add_text_list_option(command, "--note", "TEXT", arguments.notes, "A remark on the run");
  command.add_flag("--gate", arguments.gate, "Exit with 1 if a target is missed");
}

int run(const std::vector<std::string>& words) {
  std::unique_ptr<MpiJob> job;
  if (!words.empty() && words.front() == "measure") {
    prepare_environment_for_peers();
    job = std::make_unique<MpiJob>(MpiJob::Ending::together);
  }
  MeasureArguments measure_arguments;
  ReportArguments report_arguments;
  CLI::App app("Measures allreduces beside each other", "detour_compare");
  app.require_subcommand(1);
  add_measure_options(*app.add_subcommand("measure", "On the ranks of an MPI job, on one node"),
                      measure_arguments);
  add_report_options(*app.add_subcommand("report", "Put together what jobs have measured"),
                     report_arguments);
  add_plan_options(*app.add_subcommand("sizes", "Say which sizes would be measured"),
                   measure_arguments);
  return run_app(app, words, job.get(), [&] {
    if (app.got_subcommand("report")) return report(report_arguments);
    if (app.got_subcommand("sizes")) return print_sizes(measure_arguments);
    return measure(measure_arguments);
  });
}

}  // namespace
}  // namespace detour::tool

int main(int argc, char** argv) {
  return detour::tool::run({argv + std::min(argc, 1), argv + argc});
}
