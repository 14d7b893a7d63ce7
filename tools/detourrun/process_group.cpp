#include "process_group.hpp"

#include <unistd.h>

#include <charconv>
#include <csignal>
#include <filesystem>
#include <string>

namespace detour::run {

void kill_rest_of_group() {
  const pid_t group = ::getpgrp();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (problem != std::errc{} || end != name.data() + name.size()) continue;
    if (pid != ::getpid() && ::getpgid(pid) == group) ::kill(pid, SIGKILL);
  }
}

}  // namespace detour::run
