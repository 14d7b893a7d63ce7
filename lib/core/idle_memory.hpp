// Shared memory that communicators hold between their calls, and give back when another one needs it.
#pragma once

#include <vector>

#include "failure/peer_state.hpp"

namespace detour {

// What came of asking for memory.
struct Reclaimed {
  bool any = false;  // there is more room now
  // There will be more, without anything else that this process would have to do: when these have read what they are
  // reading, if there are any, and when other threads have let go of a communicator whose calls have ended.
  bool comes_later = false;
  std::vector<PeerId> readers;

  void add(const Reclaimed& other);
};

class MemoryHolder {
 public:
  virtual ~MemoryHolder() = default;
  // Unless it is busy. Any thread may call this.
  virtual Reclaimed give_back_memory() = 0;
};

// From its making to its end. A holder is not asked while it asks.
void add_memory_holder(MemoryHolder& holder);
void remove_memory_holder(MemoryHolder& holder);

// Asks all others.
Reclaimed reclaim_memory(const MemoryHolder& who_asks);

}  // namespace detour
