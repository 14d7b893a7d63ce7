#include <mpi.h>

#include <CLI/CLI.hpp>
#include <array>
#include <iostream>
#include <memory>

#include "collectives/kernels.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "info.hpp"
#include "output.hpp"
#include "plugins.hpp"

namespace detour::tool {
namespace {

struct InfoArguments {
  std::optional<std::string> policy_path;
  bool json = false;
};

// May be asked without MPI_Init.
std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

SelectionTable load_table(const Settings& settings) {
  auto table = SelectionTable::load(settings);
  if (!table.ok()) throw BadInput(table.reason());
  return std::move(table).value();
}

JobInfo place_job(std::vector<RankReport> reports, const Settings& settings) {
  std::vector<RankLocation> locations;
  for (const RankReport& report : reports) locations.push_back(report.location);
  auto placement = place_ranks(locations, settings);
  if (!placement.ok()) throw BadInput(placement.reason());
  return {std::move(reports), std::move(placement).value()};
}

void run_info(const InfoArguments& arguments) {
  Probes probes = probe_machine();
  // Before anything can go wrong: a rank that leaves without MPI_Finalize would end the job, and all
  // ranks would complain of the same. Rank 0 speaks for all of them.
  std::vector<RankReport> reports;
  if (is_in_job()) {
    reports = gather_reports();
    if (reports.empty()) return;
  }
  const Settings settings = load_settings_and_plugins(arguments.policy_path);
  if (settings.policy) {
    if (const auto problem = unknown_policy(*settings.policy)) throw BadInput(*problem);
  }
  Info info{.version = DETOUR_VERSION,
            .mpi_version = mpi_version(),
            .kernel_level = std::string(name(isa_in_use())),
            .settings = settings,
            .table = load_table(settings),
            .probes = std::move(probes),
            .job = {}};
  if (!reports.empty()) info.job = place_job(std::move(reports), settings);
  std::cout << (arguments.json ? info_json(info) : info_text(info, line_width()));
}

}  // namespace

Action add_info_command(CLI::App& app) {
  const auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = app.add_subcommand(
      "info", "Tell settings and what this machine can do; under mpirun, where the ranks are");
  add_text_option(*command, "--policy-path", "PATH", arguments->policy_path,
                  "Plug-ins: files or folders, separated by colons");
  command->add_flag("--json", arguments->json, "Print it as JSON");
  command->footer(exit_statuses);
  return [arguments] { run_info(*arguments); };
}

}  // namespace detour::tool
