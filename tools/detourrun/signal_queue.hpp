// Signals as something to wait for, along with sockets. One per process, made before any child.
#pragma once

#include <sys/signalfd.h>

#include <csignal>
#include <initializer_list>
#include <optional>

#include "shm/file_descriptor.hpp"

namespace detour::run {

class SignalQueue {
 public:
  // From now on these are kept back until they are taken here. Those that are ignored stay so: the
  // user has said nohup.
  explicit SignalQueue(std::initializer_list<int> signals);

  int number() const { return queue_.number(); }
  std::optional<signalfd_siginfo> next();

  // For a child that is to become another program: the mask as it was.
  void restore_mask() const { ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr); }

 private:
  sigset_t mask_before_{};
  FileDescriptor queue_;
};

}  // namespace detour::run
