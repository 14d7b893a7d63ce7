// How an operation straight from shared memory goes about it: the same on all ranks.
#pragma once

#include <cstdint>

#include "settings.hpp"

namespace detour {

struct DirectWay {
  // What is not small is cut into pieces of so many bytes at most. Or not at all, which takes one synchronisation, as long
  // as there is a slot for it.
  std::uint64_t piece_bytes = whole_chunk;
  StoreChoice stores = StoreChoice::automatic;

  bool is_whole() const { return piece_bytes == whole_chunk; }
};

}  // namespace detour
