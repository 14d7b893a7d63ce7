#include "bench/recovery/own_job.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>

#include "exit_status.hpp"
#include "shm/file_descriptor.hpp"
#include "shm/system_error.hpp"

namespace detour::tool {
namespace {

constexpr std::chrono::minutes silence_max{3};
constexpr int cannot_run_status = 127;

std::string own_path() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw BadInput("can't tell where this program is: " + error.message());
  return path.native();
}

std::string detourrun_path() {
  const auto path = std::filesystem::path(own_path()).parent_path() / "detourrun";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw BadInput("there is no " + path.native() + ": install it beside this program");
  }
  return path.native();
}

// More ranks than cores are no reason to refuse.
std::vector<std::string> command_of(const OwnJob& job) {
  std::vector<std::string> command{
      detourrun_path(), "--no-preload", "--oversubscribe", "-np", std::to_string(job.rank_count),
      own_path()};
  command.insert(command.end(), job.words.begin(), job.words.end());
  return command;
}

struct Pipe {
  FileDescriptor to_read;
  FileDescriptor to_write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw BadInput(system_error("can't make a pipe"));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

// Lines out of pieces.
class Lines {
 public:
  template <class Visit>
  void add(std::string_view piece, const Visit& visit) {
    pending_ += piece;
    std::size_t start = 0;
    for (auto end = pending_.find('\n'); end != std::string::npos;
         end = pending_.find('\n', start)) {
      visit(std::string_view(pending_).substr(start, end - start));
      start = end + 1;
    }
    pending_.erase(0, start);
  }

 private:
  std::string pending_;
};

// A process that ends with this one.
class Process {
 public:
  explicit Process(std::vector<std::string> command) : out_(make_pipe()), err_(make_pipe()) {
    std::vector<char*> pointers;
    for (std::string& word : command) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ < 0) throw BadInput(system_error("can't start " + command[0]));
    if (id_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (::getppid() != parent) ::_exit(cannot_run_status);  // it has died before that
      ::dup2(out_.to_write.number(), STDOUT_FILENO);
      ::dup2(err_.to_write.number(), STDERR_FILENO);
      ::signal(SIGPIPE, SIG_DFL);
      ::execv(pointers[0], pointers.data());
      ::_exit(cannot_run_status);
    }
    out_.to_write = {};
    err_.to_write = {};
  }
  ~Process() {
    if (id_ > 0) wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int out() const { return out_.to_read.number(); }
  int err() const { return err_.to_read.number(); }
  // detourrun ends its ranks then.
  void terminate() const { ::kill(id_, SIGTERM); }

  // The exit status, or 128 and the signal.
  int wait() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  Pipe out_;
  Pipe err_;
  pid_t id_ = -1;
};

// Nothing at the end.
std::optional<std::string_view> read_piece(int descriptor, std::array<char, 4096>& buffer) {
  ssize_t bytes = 0;
  do {
    bytes = ::read(descriptor, buffer.data(), buffer.size());
  } while (bytes < 0 && errno == EINTR);
  if (bytes <= 0) return std::nullopt;
  return std::string_view(buffer.data(), static_cast<std::size_t>(bytes));
}

// Until both its outputs have ended. False if it has said nothing for too long.
bool listen(Process& process, const OwnJob& job, std::string& complaints) {
  std::array<pollfd, 2> waits{pollfd{process.out(), POLLIN, 0}, pollfd{process.err(), POLLIN, 0}};
  std::array<char, 4096> buffer;
  Lines lines;
  while (waits[0].fd >= 0 || waits[1].fd >= 0) {
    const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(silence_max);
    const int ready = ::poll(waits.data(), waits.size(), static_cast<int>(limit.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    for (pollfd& wait : waits) {
      if (wait.fd < 0 || wait.revents == 0) continue;
      const auto piece = read_piece(wait.fd, buffer);
      if (!piece) {
        wait.fd = -1;
      } else if (wait.fd == process.out()) {
        lines.add(*piece, job.on_line);
      } else {
        complaints += *piece;
      }
    }
  }
  return true;
}

// The first line that the library or this program wrote there, or the last one of all.
std::string essence(const std::string& complaints) {
  constexpr std::string_view own_mark = "detour: ";
  std::string last;
  std::string own;
  Lines lines;
  lines.add(complaints + "\n", [&](std::string_view line) {
    if (line.empty()) return;
    last = line;
    if (own.empty() && (line.starts_with(own_mark) || line.starts_with("[detour] "))) own = line;
  });
  if (own.starts_with(own_mark)) own.erase(0, own_mark.size());
  return own.empty() ? last : own;
}

}  // namespace

void run_own_job(const OwnJob& job) {
  Process process(command_of(job));
  std::string complaints;
  const bool has_ended = listen(process, job, complaints);
  if (!has_ended) process.terminate();
  const int status = process.wait();
  if (!has_ended)
    throw Defect(
        "a job had nothing to say for minutes, and was ended: have fewer ranks or smaller sizes "
        "measured");
  if (status == exit_fine) return;
  if (status == exit_bad_input) throw BadInput(essence(complaints));
  if (status == exit_refused) throw Refused(essence(complaints));
  throw Defect("a job ended with status " + std::to_string(status) + ": " + essence(complaints));
}

}  // namespace detour::tool
