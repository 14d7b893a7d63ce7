// What the system said, in words.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace detour {

// "can't do this: Permission denied". Takes errno at once, before anything else can change it.
inline std::string system_error(const std::string& what, int error = errno) {
  return what + ": " + std::generic_category().message(error);
}

}  // namespace detour
