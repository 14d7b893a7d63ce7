// One line on a terminal that says how far the run is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace detour::tool {

class Progress {
 public:
  explicit Progress(bool shown) : shown_(shown) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `index` counts from 0.
  void show(std::size_t index, std::size_t count, std::uint64_t bytes);
  // Before anything else is written.
  void clear();

 private:
  bool shown_;
  bool on_screen_ = false;
};

// Whether standard error is a terminal.
bool stderr_is_terminal();

}  // namespace detour::tool
