#include "run.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>

#include "bench/mpi_job.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "format.hpp"
#include "job.hpp"
#include "launcher_channel.hpp"
#include "output.hpp"

namespace detour::tool {
namespace {

// The job that the command is for, if it is for all ranks of one together. The others do without MPI; so does what
// starts jobs of its own, unless it is in one of them.
std::unique_ptr<MpiJob> job_for(const std::vector<std::string>& words) {
  if (words.empty() || words.front() != "bench") return nullptr;
  const bool loses_ranks = std::ranges::any_of(
      words, [](const std::string& word) { return word == "--recovery" || word == "--survivors"; });
  if (!loses_ranks) return std::make_unique<MpiJob>(MpiJob::Ending::together);
  if (!is_in_job()) return nullptr;
  // Under mpirun no rank will be lost: that is refused.
  return std::make_unique<MpiJob>(is_under_launcher() ? MpiJob::Ending::each_alone
                                                      : MpiJob::Ending::together);
}

// One line, whatever the message was made of. All ranks of a job have the same one, so one says it.
int complain(const MpiJob* job, const std::string& message, ExitStatus status) {
  if (job != nullptr && !job->speaks()) return status;
  std::cout.flush();
  std::cerr << "detour: " << one_line(message) << std::endl;
  return status;
}

void parse_and_act(CLI::App& app, const std::vector<std::string>& words) {
  app.set_version_flag("--version", "detour " DETOUR_VERSION);
  app.require_subcommand(1);
  app.footer(exit_statuses);
  const Action plan = add_plan_command(app);
  const Action policies = add_policies_command(app);
  const Action info = add_info_command(app);
  const Action bench = add_bench_command(app);
  check_command_line(app, words);
  // CLI11 takes them from the end.
  app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  if (app.got_subcommand("plan")) plan();
  if (app.got_subcommand("policies")) policies();
  if (app.got_subcommand("info")) info();
  if (app.got_subcommand("bench")) bench();
}

int run_app(CLI::App& app, const std::vector<std::string>& words, const MpiJob* job) {
  try {
    parse_and_act(app, words);
    return exit_fine;
  } catch (const CLI::ParseError& error) {
    // Asking for help or the version is not an error, although it arrives as one.
    if (error.get_exit_code() == 0) {
      return job == nullptr || job->speaks() ? app.exit(error) : exit_fine;
    }
    throw BadInput(error.what());
  }
}

}  // namespace

int run(int argc, char** argv) {
  // A reader that goes away shows as a failed write, not as a signal.
  std::signal(SIGPIPE, SIG_IGN);
  const auto words = with_help_as_option({argv + std::min(argc, 1), argv + argc});
  const auto job = job_for(words);
  try {
    CLI::App app("Plans collective communication round failed cells of a mesh", "detour");
    const int status = run_app(app, words, job.get());
    finish_output();
    return status;
  } catch (const BadInput& error) {
    return complain(job.get(), error.what(), exit_bad_input);
  } catch (const Refused& error) {
    return complain(job.get(), error.what(), exit_refused);
  } catch (const Defect& error) {
    return complain(job.get(), error.what(), exit_defect);
  } catch (const std::exception& error) {
    complain(nullptr, error.what(), exit_defect);
    // Maybe on this rank only: the others must not wait for it.
    if (job) job->abort(exit_defect);
    return exit_defect;
  }
}

}  // namespace detour::tool
