// detourrun: mpirun for jobs that go on when ranks die.
//
// main -> launcher: looks for the programs (application, program_search) and starts mpirun with an
// environment (environment, mpirun) in which every rank is started through a supervisor, this
// program again (supervisor). Each supervisor is connected to the launcher (channel_server,
// launcher_link, message), which keeps the books (job, report).
#include <cstdio>

#include "command_line.hpp"
#include "environment.hpp"
#include "launcher.hpp"
#include "mpirun.hpp"
#include "own_files.hpp"
#include "program_search.hpp"
#include "supervisor.hpp"

namespace detour::run {
namespace {

constexpr int bad_input_status = 2;

// On other hosts there may be other programs.
std::optional<ProgramProblem> find_problem(const std::optional<Applications>& applications) {
  const auto environment = environment_of_process();
  if (!applications || applications->has_hosts || has_hosts(environment)) return std::nullopt;
  return find_missing_program(*applications, value_in(environment, "PATH"));
}

Outcome<int> launch(const CommandLine& line) {
  const auto mpirun = find_mpirun(line.mpirun);
  if (!mpirun.ok()) return mpirun.without_value<int>();
  const auto applications = parse_applications(line.for_mpirun);
  if (const auto problem = find_problem(applications)) {
    std::fprintf(stderr, "detourrun: %s\n", problem->words.c_str());
    return problem->status;
  }
  const auto path = own_path();
  if (!path.ok()) return path.without_value<int>();
  RankStart start;
  start.supervisor = path.value();
  if (line.preload) {
    auto library = find_preload(path.value());
    if (!library.ok()) return library.without_value<int>();
    start.preload = std::move(library).value();
  }
  auto server = ChannelServer::open();
  if (!server.ok()) return server.without_value<int>();
  start.launcher = to_text(server.value().address());
  if (applications) start.path = applications->path;

  ChildPlan plan;
  plan.command = {mpirun.value().path};
  for (const auto& added : own_arguments(mpirun.value().version, line.for_mpirun)) {
    plan.command.push_back(added);
  }
  plan.command.insert(plan.command.end(), line.for_mpirun.begin(), line.for_mpirun.end());
  plan.environment = environment_for_mpirun(environment_of_process(), mpirun.value().version, start,
                                            is_root_in_container());
  return Launcher(std::move(server).value(), line.grace)
      .run(std::move(plan), names_of(applications));
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() > 1 && arguments[0] == "--as-rank") {
    return supervise({arguments.begin() + 1, arguments.end()});
  }
  const auto line = parse_command_line(arguments);
  if (line.ok() && line.value().wants_help) {
    std::fputs(help_text().c_str(), stdout);
    return 0;
  }
  if (line.ok() && line.value().wants_version) {
    std::puts("detourrun " DETOUR_VERSION);
    return 0;
  }
  const auto status = line.ok() ? launch(line.value()) : line.without_value<int>();
  if (status.ok()) return status.value();
  std::fprintf(stderr, "detourrun: %s\n", status.reason().c_str());
  return bad_input_status;
}

}  // namespace
}  // namespace detour::run

int main(int argument_count, char** arguments) {
  return detour::run::run({arguments + 1, arguments + argument_count});
}
