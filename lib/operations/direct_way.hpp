// How an operation straight from shared memory goes about it: the same on all ranks.
#pragma once

#include <cstdint>

#include "node/member_block.hpp"
#include "settings.hpp"

namespace detour {

struct DirectWay {
  // What is not small is cut into pieces of so many bytes at most. Or not at all, which takes one synchronisation, as long
  // as there is a slot for it.
  std::uint64_t piece_bytes = whole_chunk;
  StoreChoice stores = StoreChoice::automatic;

  bool is_whole() const { return piece_bytes == whole_chunk; }
  // Whether an output of so many bytes is written past the caches.
  bool streams(const MemberBlockLayout& layout, std::uint64_t bytes, bool replaces_input) const {
    switch (stores) {
      case StoreChoice::automatic:
        return bytes >=
               (replaces_input ? layout.streamed_in_place_bytes_min : layout.streamed_bytes_min);
      case StoreChoice::cached:
        return false;
      case StoreChoice::apart:
        return !replaces_input;
      case StoreChoice::streamed:
        return true;
    }
    return false;
  }
};

}  // namespace detour
