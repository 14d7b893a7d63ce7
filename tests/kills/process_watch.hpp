// Processes that the harness has to do with: signals that can't hit another one, and what a job leaves behind.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace detour::kills {

// A process by a descriptor: its number may be given to another when it has ended.
class ProcessWatch {
 public:
  explicit ProcessWatch(pid_t pid);
  ~ProcessWatch();
  ProcessWatch(ProcessWatch&& other) noexcept;
  ProcessWatch& operator=(ProcessWatch&&) = delete;

  pid_t pid() const { return pid_; }
  bool send(int signal) const;
  bool has_ended() const;

 private:
  pid_t pid_;
  int descriptor_;
};

// Those that have the text in their environment; none that only wait to be reaped.
std::vector<pid_t> processes_with(const std::string& mark);

// Files of the library's in /dev/shm that belong to these processes.
std::vector<std::string> memory_of(const std::vector<pid_t>& owners);

// The arguments start with the program's path, the environment is what differs from one's own; output goes to the file.
pid_t start_process(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment, const std::string& output);

}  // namespace detour::kills
