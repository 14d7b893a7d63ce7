#include "bench/progress.hpp"

#include <unistd.h>

#include <iostream>

#include "format.hpp"

namespace detour::tool {

void Progress::show(std::size_t index, std::size_t count, std::uint64_t bytes) {
  if (!shown_) return;
  clear();
  std::cerr << "measuring size " << index + 1 << " of " << count << ": " << size(bytes)
            << std::flush;
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
