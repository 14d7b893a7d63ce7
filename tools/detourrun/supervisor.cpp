#include "supervisor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>

#include "address.hpp"
#include "child.hpp"
#include "environment.hpp"
#include "launcher_channel.hpp"
#include "launcher_link.hpp"
#include "own_files.hpp"
#include "process_group.hpp"
#include "program_channel.hpp"
#include "program_search.hpp"
#include "setting_words.hpp"

namespace detour::run {
namespace {

using Clock = std::chrono::steady_clock;

// For a program that was asked to end.
constexpr std::chrono::seconds end_patience{2};

int number_in(const Environment& environment, std::string_view name) {
  const auto text = value_in(environment, name);
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool is_on(std::string_view text) {
  return std::any_of(switch_words.begin(), switch_words.end(),
                     [text](const auto& word) { return word.value && word.text == text; });
}

std::string host_name() {
  char name[256] = "unknown";
  ::gethostname(name, sizeof name - 1);
  return name;
}

Hello hello_from(const Environment& environment, const std::string& token) {
  const std::string job(value_in(environment, "PMIX_NAMESPACE"));
  return Hello{.token = token,
               .job = job.empty() ? "job" : job,
               .rank = number_in(environment, "OMPI_COMM_WORLD_RANK"),
               .size = number_in(environment, "OMPI_COMM_WORLD_SIZE"),
               .host = host_name()};
}

// The library, and what takes the place of malloc where the program is to have that.
std::string preloads_of(const Environment& environment) {
  const std::string library(value_in(environment, preload_variable));
  if (library.empty() || !is_on(value_in(environment, shared_malloc_variable))) return library;
  return library + ":" + malloc_beside(library);
}

// The program's: ours is in front of what the user preloads, and nothing of mpirun's business with
// the supervisor is left.
Environment environment_for_program(Environment environment, const std::string& channel) {
  const std::string preload = preloads_of(environment);
  unset(environment, preload_variable);
  unset(environment, path_variable);
  unset(environment, launcher_variable);
  for (const std::string_view name : agent_variables) unset(environment, name);
  set(environment, launcher_channel_variable, channel);
  if (!preload.empty()) {
    const std::string users(value_in(environment, "LD_PRELOAD"));
    set(environment, "LD_PRELOAD", users.empty() ? preload : preload + ":" + users);
  }
  return environment;
}

// mpirun looks in more places than PATH for a name without a slash, but does not tell what it found.
std::string file_of(const std::string& program, const Environment& environment) {
  const auto path =
      joined_path(std::string(value_in(environment, path_variable)), value_in(environment, "PATH"));
  return find_program(program, path, "").value_or(program);
}

// They are the program's alone: if it closes its output, whoever reads it is to see that.
void let_go_of_standard_files() {
  const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::dup2(nothing.number(), number);
  }
}

class Supervisor {
 public:
  Supervisor(LineSocket launcher, ProgramChannel channel)
      : launcher_(std::move(launcher)), channel_(std::move(channel)) {}

  int run(const std::vector<std::string>& command, Environment environment) {
    const ChildPlan plan{
        .command = command,
        .file = file_of(command[0], environment),
        .environment = environment_for_program(std::move(environment), channel_.name()),
        .signal_at_parents_death = SIGKILL};
    const auto started = start_child(plan, signals_);
    if (started.error != 0) return report_failed_start(plan, started.error);
    program_ = started.pid;
    launcher_.send(to_line(Started{program_}));
    let_go_of_standard_files();
    while (!wait_status_) {
      wait();
      take_signals();
      if (is_linked_) take_orders();
      pass_on_messages();
      if (kill_at_ && Clock::now() >= *kill_at_) ::kill(program_, SIGKILL);
    }
    return report();
  }

 private:
  void wait() {
    std::vector<pollfd> waits{{signals_.number(), POLLIN, 0}};
    if (is_linked_) waits.push_back({launcher_.number(), POLLIN, 0});
    channel_.add_to(waits);
    int timeout_ms = -1;
    if (kill_at_) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*kill_at_ - Clock::now());
      timeout_ms = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }
    ::poll(waits.data(), waits.size(), timeout_ms);
  }

  void take_signals() {
    while (const auto signal = signals_.next()) {
      if (signal->ssi_signo == SIGCHLD) {
        wait_status_ = reap(program_);
        // One SIGCHLD may also be for the program having stopped.
        if (wait_status_) return;
      } else if (static_cast<pid_t>(signal->ssi_pid) != ::getppid()) {
        // mpirun signals the whole group, so the program has got it too; others mean us alone.
        ::kill(program_, static_cast<int>(signal->ssi_signo));
      } else if (signal->ssi_signo == SIGCONT) {
        // What it sends first, for a stopped program to hear the next, which comes a second later.
        launcher_.send(to_line(Ending{}));
      }
    }
  }

  void take_orders() {
    is_linked_ = launcher_.receive();
    bool has_to_end = !is_linked_;
    while (const auto line = launcher_.next_line()) has_to_end |= *line == end_line;
    if (!has_to_end || kill_at_) return;
    ::kill(program_, SIGTERM);
    ::kill(program_, SIGCONT);  // or it could not hear that
    kill_at_ = Clock::now() + end_patience;
  }

  void pass_on_messages() {
    for (const Message& message : channel_.take_messages()) launcher_.send(to_line(message));
  }

  // The others would wait for it in MPI_Init. There is no program whose end could be told.
  int report_failed_start(const ChildPlan& plan, int error) {
    launcher_.send(
        to_line(Abort{status_of_failed_start(error), words_of_failed_start(plan, error)}));
    return 0;
  }

  int report() {
    // The program may have said something just before it ended.
    pass_on_messages();
    const bool was_killed = WIFSIGNALED(*wait_status_);
    // What the program started and could not end any more is nobody's.
    if (was_killed || kill_at_) kill_rest_of_group();
    launcher_.send(was_killed ? to_line(Killed{WTERMSIG(*wait_status_)})
                              : to_line(Exited{WEXITSTATUS(*wait_status_)}));
    return 0;
  }

  SignalQueue signals_{SIGCHLD, SIGTERM, SIGINT,  SIGHUP, SIGQUIT,
                       SIGUSR1, SIGUSR2, SIGALRM, SIGCONT};
  LineSocket launcher_;
  ProgramChannel channel_;
  bool is_linked_ = true;
  pid_t program_ = -1;
  std::optional<int> wait_status_;
  std::optional<Clock::time_point> kill_at_;
};

Outcome<int> try_to_supervise(const std::vector<std::string>& command) {
  Environment environment = environment_of_process();
  const auto address = parse_address(value_in(environment, launcher_variable));
  if (!address.ok()) return address.without_value<int>();
  auto launcher =
      connect_to_launcher(address.value(), hello_from(environment, address.value().token));
  if (!launcher.ok()) return launcher.without_value<int>();
  auto channel = ProgramChannel::open();
  if (!channel.ok()) return channel.without_value<int>();
  return Supervisor(std::move(launcher).value(), std::move(channel).value())
      .run(command, std::move(environment));
}

}  // namespace

int supervise(const std::vector<std::string>& command) {
  // So that nobody who ends "detourrun" by name hits all ranks.
  ::prctl(PR_SET_NAME, "detour-rank");
  // mpirun has made this group already; who kills what is left in it must be sure.
  ::setpgid(0, 0);
  const auto status = try_to_supervise(command);
  if (status.ok()) return status.value();
  std::fprintf(stderr, "detourrun: %s\n", status.reason().c_str());
  return 1;
}

}  // namespace detour::run
