// How wide text is on a terminal.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>

namespace detour::test {

// Of the longest line. One column per UTF-8 character: nothing that is drawn takes two.
inline std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto width = std::count_if(line.begin(), line.end(), [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
    });
    widest = std::max(widest, static_cast<std::size_t>(width));
  }
  return widest;
}

}  // namespace detour::test
