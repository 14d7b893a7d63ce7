// Shared memory that communicators hold between their calls, and give back when another one needs it.
#pragma once

namespace detour {

class MemoryHolder {
 public:
  virtual ~MemoryHolder() = default;
  // Unless it is busy: any thread may call this. True if it had something to give back.
  virtual bool give_back_memory() = 0;
};

// From its making to its end. A holder is not asked while it asks.
void add_memory_holder(MemoryHolder& holder);
void remove_memory_holder(MemoryHolder& holder);

// Asks all others. True if there is more room now.
bool reclaim_memory(const MemoryHolder& who_asks);

}  // namespace detour
