// A way to carry out an allreduce, as a line of the selection table says it.
#pragma once

#include <cstdint>
#include <string>

#include "settings.hpp"

namespace detour::tool {

struct Way {
  std::string policy;
  std::uint64_t chunk_bytes = 0;  // or whole_chunk
  StoreChoice stores = StoreChoice::automatic;

  bool operator==(const Way&) const = default;
};

// "direct 64K streamed"; stores that nobody has decided on are not named.
std::string way_text(const Way& way);

}  // namespace detour::tool
