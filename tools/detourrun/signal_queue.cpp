#include "signal_queue.hpp"

namespace detour::run {

SignalQueue::SignalQueue(std::initializer_list<int> signals) {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : signals) ::sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, &mask_before_);
  queue_ = FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

std::optional<signalfd_siginfo> SignalQueue::next() {
  signalfd_siginfo info{};
  if (::read(queue_.number(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) {
    return std::nullopt;
  }
  return info;
}

}  // namespace detour::run
