#include "bench/progress.hpp"

#include <unistd.h>

#include <iostream>

namespace detour::tool {

void Progress::show(const std::string& words) {
  if (!shown_) return;
  clear();
  std::cerr << words << std::flush;
  on_screen_ = true;
}

void Progress::clear() {
  if (!on_screen_) return;
  std::cerr << "\r\033[K" << std::flush;
  on_screen_ = false;
}

bool stderr_is_terminal() {
  return ::isatty(STDERR_FILENO) == 1;
}

}  // namespace detour::tool
