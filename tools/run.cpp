#include "run.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <iostream>

#include "commands.hpp"
#include "exit_status.hpp"
#include "output.hpp"

namespace detour::tool {
namespace {

// One line, whatever the message was made of.
int complain(std::string message, ExitStatus status) {
  std::cout.flush();
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << "detour: " << message << std::endl;
  return status;
}

void parse_and_act(CLI::App& app, int argc, char** argv) {
  app.set_version_flag("--version", "detour " DETOUR_VERSION);
  app.require_subcommand(1);
  const Action plan = add_plan_command(app);
  const Action policies = add_policies_command(app);
  app.parse(argc, argv);
  if (app.got_subcommand("plan")) plan();
  if (app.got_subcommand("policies")) policies();
}

int run_app(CLI::App& app, int argc, char** argv) {
  try {
    parse_and_act(app, argc, argv);
    return exit_fine;
  } catch (const CLI::ParseError& error) {
    // Asking for help or the version is not an error, although it arrives as one.
    if (error.get_exit_code() == 0) return app.exit(error);
    throw BadInput(error.what());
  }
}

}  // namespace

int run(int argc, char** argv) {
  // A reader that goes away shows as a failed write, not as a signal.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    CLI::App app("Plans collective communication round failed cells of a mesh", "detour");
    const int status = run_app(app, argc, argv);
    finish_output();
    return status;
  } catch (const BadInput& error) {
    return complain(error.what(), exit_bad_input);
  } catch (const Refused& error) {
    return complain(error.what(), exit_refused);
  } catch (const std::exception& error) {
    return complain(error.what(), exit_defect);
  }
}

}  // namespace detour::tool
