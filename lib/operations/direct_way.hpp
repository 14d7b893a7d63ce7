// How an operation straight from shared memory goes about it: the same on all ranks.
#pragma once

#include <cstdint>
#include <limits>

#include "settings.hpp"

namespace detour {

struct DirectWay {
  // Nothing is cut up: one synchronisation. As long as there is a slot for it.
  bool is_whole = true;
  std::uint64_t piece_bytes = std::numeric_limits<std::uint64_t>::max();  // at most
  StoreChoice stores = StoreChoice::automatic;
};

}  // namespace detour
