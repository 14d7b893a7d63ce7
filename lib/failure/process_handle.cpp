#include "failure/process_handle.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "shm/system_error.hpp"

namespace detour {

// By number: the C library has functions for these only since version 2.36. Such descriptors are closed by exec.

ProcessHandle ProcessHandle::open(pid_t pid) {
  ProcessHandle handle;
  if (pid <= 0) return handle;
  handle.pid_ = pid;
  handle.file_ = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  return handle;
}

bool ProcessHandle::has_ended() const {
  if (!can_tell()) return false;
  if (!file_.is_open()) return ::kill(pid_, 0) != 0 && errno == ESRCH;
  pollfd end{file_.number(), POLLIN, 0};
  return ::poll(&end, 1, 0) == 1 && (end.revents & POLLIN) != 0;
}

Outcome<bool> ProcessHandle::kill() const {
  if (!can_tell()) return Refusal{"its process is not one of this PID namespace"};
  if (!file_.is_open()) return Refusal{"without a pidfd its number might be another's by now"};
  if (::syscall(SYS_pidfd_send_signal, file_.number(), SIGKILL, nullptr, 0) == 0) return true;
  if (errno == ESRCH) return false;
  return Refusal{system_error("can't kill process " + std::to_string(pid_))};
}

}  // namespace detour
