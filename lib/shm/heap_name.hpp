// Names of heaps in /dev/shm: detour-UID-PID-RANDOM, so that one can tell whose they are. The PID is the owner's in its own
// PID namespace, in containers often 1: it is for people to read. What keeps names apart is the random number.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace detour {

struct HeapName {
  uid_t user = 0;
  pid_t owner = 0;
  std::uint64_t random = 0;

  std::string text() const;
};

// Nothing unless the text is exactly what text() would write.
std::optional<HeapName> parse_heap_name(std::string_view text);

}  // namespace detour
