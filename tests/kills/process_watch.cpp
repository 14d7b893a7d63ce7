#include "process_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace detour::kills {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Settings of whoever runs this are kept out.
void forget_settings() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text(*entry);
    if (text.starts_with("DETOUR_")) names.push_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment, const std::string& output) {
  // Whatever ends the harness ends what it has started.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  forget_settings();
  for (const std::string& entry : environment) {
    const auto equals = entry.find('=');
    setenv(entry.substr(0, equals).c_str(), entry.c_str() + equals + 1, 1);
  }
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  std::vector<std::string> copies = arguments;
  std::vector<char*> pointers;
  for (std::string& argument : copies) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  _exit(127);
}

}  // namespace

ProcessWatch::ProcessWatch(pid_t pid)
    : pid_(pid), descriptor_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}

ProcessWatch::~ProcessWatch() {
  if (descriptor_ >= 0) close(descriptor_);
}

ProcessWatch::ProcessWatch(ProcessWatch&& other) noexcept
    : pid_(other.pid_), descriptor_(std::exchange(other.descriptor_, -1)) {}

bool ProcessWatch::send(int signal) const {
  return descriptor_ >= 0 && syscall(SYS_pidfd_send_signal, descriptor_, signal, nullptr, 0) == 0;
}

bool ProcessWatch::has_ended() const {
  pollfd watched{descriptor_, POLLIN, 0};
  return descriptor_ < 0 || poll(&watched, 1, 0) != 0;
}

std::vector<pid_t> processes_with(const std::string& mark) {
  std::vector<pid_t> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string pid = entry.path().filename();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    if (content_of(entry.path() / "environ").find(mark) == std::string::npos) continue;
    found.push_back(std::stoi(pid));
  }
  return found;
}

std::vector<std::string> memory_of(const std::vector<pid_t>& owners) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/dev/shm", error)) {
    const std::string name = entry.path().filename();
    const auto is_owner = [&](pid_t pid) {
      return name.starts_with("detour-" + std::to_string(getuid()) + "-" + std::to_string(pid) +
                              "-");
    };
    if (std::any_of(owners.begin(), owners.end(), is_owner)) found.push_back(name);
  }
  return found;
}

pid_t start_process(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment, const std::string& output) {
  const pid_t pid = fork();
  if (pid == 0) become(arguments, environment, output);
  return pid;
}

}  // namespace detour::kills
