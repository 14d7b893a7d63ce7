// For threads of the library's own: signals are the program's business, and go to its threads.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace detour {

// While it lives, the calling thread gets no signals, nor do threads that it starts, ever.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace detour
