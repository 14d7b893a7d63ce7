#include "app_run.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "bench/mpi_job.hpp"
#include "command_line.hpp"
#include "exit_status.hpp"
#include "format.hpp"
#include "output.hpp"

namespace detour::tool {
namespace {

int parse_and_act(CLI::App& app, const std::vector<std::string>& words, const MpiJob* job,
                  const std::function<int()>& act) {
  check_command_line(app, words);
  try {
    // CLI11 takes them from the end.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw BadInput(error.what());
    // Asking for help or the version is not an error, although it arrives as one.
    return job == nullptr || job->speaks() ? app.exit(error) : exit_fine;
  }
  return act();
}

}  // namespace

int run_app(CLI::App& app, const std::vector<std::string>& words, MpiJob* job,
            const std::function<int()>& act) {
  // A reader that goes away shows as a failed write, not as a signal.
  std::signal(SIGPIPE, SIG_IGN);
  // One line, whatever the message was made of.
  const auto complain = [&](const MpiJob* speaker, const std::exception& error, ExitStatus status) {
    if (speaker != nullptr && !speaker->speaks()) return status;
    std::cout.flush();
    std::cerr << app.get_name() << ": " << one_line(error.what()) << std::endl;
    return status;
  };
  try {
    const int status = parse_and_act(app, words, job, act);
    finish_output();
    return status;
  } catch (const BadInput& error) {
    return complain(job, error, exit_bad_input);
  } catch (const Refused& error) {
    return complain(job, error, exit_refused);
  } catch (const Defect& error) {
    return complain(job, error, exit_defect);
  } catch (const std::exception& error) {
    complain(nullptr, error, exit_defect);
    // Maybe on this rank only: the others must not wait for it.
    if (job != nullptr) job->abort(exit_defect);
    return exit_defect;
  }
}

}  // namespace detour::tool
