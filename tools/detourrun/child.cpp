#include "child.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "shm/system_error.hpp"

namespace detour::run {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

[[noreturn]] void become(const std::vector<char*>& command, const std::vector<char*>& environment) {
  environ = const_cast<char**>(environment.data());  // execvpe would look in our PATH
  ::execvp(command[0], command.data());
  const std::string words = system_error(std::string("detourrun: can't run ") + command[0]) + "\n";
  // There is nobody to tell if even that fails.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words.data(), words.size());
  ::_exit(cannot_run_status);
}

}  // namespace

Outcome<pid_t> start_child(const ChildPlan& plan, const SignalQueue& signals) {
  auto command_texts = plan.command;
  auto environment_texts = plan.environment;
  const auto command = pointers(command_texts);
  const auto environment = pointers(environment_texts);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return Failure{system_error("can't start " + plan.command[0])};
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, plan.signal_at_parents_death);
    // The parent may have died before that.
    if (::getppid() != parent) ::_exit(cannot_run_status);
    signals.restore_mask();
    become(command, environment);
  }
  return child;
}

std::optional<int> reap(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, WNOHANG) != child) return std::nullopt;
  return status;
}

}  // namespace detour::run
