// In place of the C library's: says what a test wants to hear, once it has asked for that.
#include "own_host_name.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>

namespace {

std::string name_of_this_host;

}  // namespace

namespace detour::test {

void call_this_host(const std::string& name) {
  name_of_this_host = name;
}

}  // namespace detour::test

// The library has to find it.
extern "C" __attribute__((visibility("default"))) int gethostname(char* name,
                                                                  std::size_t room_bytes) noexcept {
  struct utsname system = {};
  if (uname(&system) != 0) return -1;
  const char* const found = name_of_this_host.empty() ? system.nodename : name_of_this_host.c_str();
  std::snprintf(name, room_bytes, "%s", found);
  return 0;
}
