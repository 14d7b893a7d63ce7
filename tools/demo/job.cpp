#include "demo/job.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "exit_status.hpp"
#include "shm/system_error.hpp"

namespace detour::demo {
namespace {

constexpr int pipe_bytes = 4096;

std::string output_path(const std::string& folder) {
  return folder + "/output";
}

FileDescriptor open_log(const std::string& path) {
  if (::mkfifo(path.c_str(), 0600) != 0) throw tool::BadInput(system_error("can't make " + path));
  FileDescriptor pipe(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!pipe.is_open()) throw tool::BadInput(system_error("can't open " + path));
  ::fcntl(pipe.number(), F_SETPIPE_SZ, pipe_bytes);
  return pipe;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

int status_as_in_shells(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ScratchFolder::ScratchFolder() {
  path_ = (std::filesystem::temp_directory_path() / "detour-demo-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) {
    throw tool::BadInput(system_error("can't make a folder " + path_));
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Job::Job(int rank_count, Listener listener)
    : signals_({SIGINT, SIGTERM, SIGHUP, SIGCHLD}), listener_(std::move(listener)) {
  open_logs(rank_count);
}

Job::~Job() {
  if (command_ == 0 || status_) return;
  ::kill(command_, SIGTERM);
  ::waitpid(command_, nullptr, 0);
}

void Job::open_logs(int rank_count) {
  for (int rank = 0; rank < rank_count; ++rank) {
    logs_.push_back({open_log(folder_.path() + "/rank-" + std::to_string(rank) + ".log"), {}});
  }
}

void Job::start(const std::vector<std::string>& command,
                const std::vector<std::string>& environment) {
  if (::access(command.at(0).c_str(), X_OK) != 0) {
    throw tool::BadInput(system_error("can't run " + command[0]) + "; scripts/build makes it");
  }
  auto words = command;
  auto settings = environment;
  const auto arguments = pointers(words);
  const FileDescriptor output(
      ::open(output_path(folder_.path()).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!output.is_open()) throw tool::BadInput(system_error("can't write in " + folder_.path()));
  const FileDescriptor input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const pid_t parent = ::getpid();
  command_ = ::fork();
  if (command_ < 0) throw tool::BadInput(system_error("can't start " + command[0]));
  if (command_ > 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The parent may have died before that.
  if (::getppid() != parent) ::_exit(127);
  signals_.restore_mask();
  ::signal(SIGPIPE, SIG_DFL);
  // Away from the terminal: of its signals we are told, and the job by us, once. mpirun takes a
  // second one for impatience, and leaves its files behind.
  ::setpgid(0, 0);
  ::dup2(input.number(), STDIN_FILENO);
  for (std::string& setting : settings) ::putenv(setting.data());
  ::dup2(output.number(), STDOUT_FILENO);
  ::dup2(output.number(), STDERR_FILENO);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

void Job::listen(std::chrono::milliseconds time) {
  std::vector<pollfd> sources{{signals_.number(), POLLIN, 0}};
  // Closed ones have a negative number, and are passed over.
  for (const Log& log : logs_) sources.push_back({log.pipe.number(), POLLIN, 0});
  ::poll(sources.data(), sources.size(), static_cast<int>(time.count()));
  for (std::size_t at = 1; at < sources.size(); ++at) {
    if (sources[at].revents != 0) read_log(static_cast<int>(at) - 1);
  }
  if (sources[0].revents != 0) take_signals();
}

bool Job::read_log(int rank) {
  Log& log = logs_[static_cast<std::size_t>(rank)];
  std::array<char, pipe_bytes> bytes{};
  const ssize_t count = ::read(log.pipe.number(), bytes.data(), bytes.size());
  if (count < 0) return false;
  if (count == 0) {
    log.pipe = FileDescriptor();
    listener_.log_closed(rank);
    return false;
  }
  log.rest.append(bytes.data(), static_cast<std::size_t>(count));
  std::size_t begin = 0;
  for (std::size_t end; (end = log.rest.find('\n', begin)) != std::string::npos; begin = end + 1) {
    listener_.line(rank, log.rest.substr(begin, end - begin));
  }
  log.rest.erase(0, begin);
  return true;
}

void Job::read_all_logs() {
  for (std::size_t rank = 0; rank < logs_.size(); ++rank) {
    while (logs_[rank].pipe.is_open() && read_log(static_cast<int>(rank))) continue;
  }
}

void Job::take_signals() {
  while (const auto signal = signals_.next()) {
    if (signal->ssi_signo == SIGCHLD) {
      int status = 0;
      if (::waitpid(command_, &status, WNOHANG) != command_) continue;
      // All ranks are gone: what they have written is there to be read.
      read_all_logs();
      status_ = status_as_in_shells(status);
      continue;
    }
    interruption_ = static_cast<int>(signal->ssi_signo);
    if (command_ > 0 && !status_) ::kill(command_, SIGTERM);
  }
}

std::string Job::output() const {
  std::ifstream file(output_path(folder_.path()));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace detour::demo
