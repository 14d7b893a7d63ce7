// Whether a text has a part, for tests of what programs say.
#pragma once

#include <string>

namespace detour::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace detour::test
