#include "child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "launcher_channel.hpp"
#include "program_search.hpp"
#include "shm/system_error.hpp"

namespace detour::run {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

void block(int signal) {
  if (signal == 0) return;
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
}

// Returns only if that fails.
void become(const char* file, const std::vector<char*>& command,
            const std::vector<char*>& environment) {
  environ = const_cast<char**>(environment.data());  // execvpe would look in our PATH
  ::execvp(file, command.data());
}

// The end of the child that it writes to is closed when it has become another program.
int error_of_child(FileDescriptor& to_read, FileDescriptor& to_write) {
  to_write = FileDescriptor();
  int error = 0;
  const auto count = uninterrupted([&] { return ::read(to_read.number(), &error, sizeof error); });
  return count == static_cast<ssize_t>(sizeof error) ? error : 0;
}

}  // namespace

ChildStart start_child(const ChildPlan& plan, const SignalQueue& signals) {
  auto command_texts = plan.command;
  auto environment_texts = plan.environment;
  const auto command = pointers(command_texts);
  const auto environment = pointers(environment_texts);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {.error = errno};
  FileDescriptor to_read(ends[0]);
  FileDescriptor to_write(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return {.error = errno};
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, plan.signal_at_parents_death);
    // The parent may have died before that.
    if (::getppid() != parent) ::_exit(no_program_status);
    signals.restore_mask();
    block(plan.blocked_signal);
    become(plan.file.empty() ? command[0] : plan.file.c_str(), command, environment);
    const int error = errno;
    // There is nobody to tell if even that fails.
    [[maybe_unused]] const auto written = ::write(to_write.number(), &error, sizeof error);
    ::_exit(status_of_failed_start(error));
  }
  const int error = error_of_child(to_read, to_write);
  if (error != 0) ::waitpid(child, nullptr, 0);
  return {child, error};
}

std::string words_of_failed_start(const ChildPlan& plan, int error) {
  return system_error("can't run " + plan.command[0], error);
}

std::optional<int> reap(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, WNOHANG) != child) return std::nullopt;
  return status;
}

}  // namespace detour::run
