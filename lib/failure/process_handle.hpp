// A process of this machine that stays the one that was meant, even if its number is used again: a pidfd.
#pragma once

#include <sys/types.h>

#include "detour/routing/outcome.hpp"
#include "shm/file_descriptor.hpp"

namespace detour {

class ProcessHandle {
 public:
  // Of none: never ended as far as one can tell, and can't be killed.
  ProcessHandle() = default;

  // While the process is known to live: what was opened is the right one if it still does afterwards.
  // `pid` 0 means a process whose number means nothing here, say of another PID namespace.
  static ProcessHandle open(pid_t pid);

  // Whether an end can be seen at all. Without a pidfd (before Linux 5.3, or no descriptors left) it is seen only
  // when the number is free again, which is when the parent has taken note: late, but never too soon.
  bool can_tell() const { return pid_ > 0; }
  bool is_exact() const { return file_.is_open(); }
  // For a handle that may be of another process than the one meant: no harm is done with it.
  void keep_number_only() { file_ = FileDescriptor(); }

  // Whether the kernel has ended all threads of it; a zombie counts.
  bool has_ended() const;

  // SIGKILL, which ends a stopped process too. Refuses where it might hit another one.
  Outcome<bool> kill() const;

 private:
  pid_t pid_ = 0;
  FileDescriptor file_;
};

}  // namespace detour
