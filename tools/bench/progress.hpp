// One line on a terminal that says how far the run is.
#pragma once

#include <string>

namespace detour::tool {

class Progress {
 public:
  explicit Progress(bool shown) : shown_(shown) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& words);
  // Before anything else is written.
  void clear();

 private:
  bool shown_;
  bool on_screen_ = false;
};

// Whether standard error is a terminal.
bool stderr_is_terminal();

}  // namespace detour::tool
