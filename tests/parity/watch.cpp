#include "watch.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace detour::parity {
namespace {

// Written by the main thread before it sets the alarm, which goes off in a signal handler of the same
// process: a plain array will do.
char description[512];

void give_up(int) {
  // Nothing can be done about a failure to write.
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, description, std::strlen(description));
  _exit(1);
}

}  // namespace

void expect_end_of(const std::string& text, unsigned patience_seconds) {
  alarm(0);
  const std::string line = "parity: no end of " + text + "\n";
  description[line.copy(description, sizeof description - 1)] = '\0';
  signal(SIGALRM, give_up);
  alarm(patience_seconds);
}

}  // namespace detour::parity
