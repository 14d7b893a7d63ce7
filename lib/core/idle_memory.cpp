#include "core/idle_memory.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace detour {
namespace {

// Guards the list, and is held while holders are asked, so that none of them ends meanwhile. Holders only
// try to get locks of their own then, so that two who ask for each other's memory don't wait for each other.
std::mutex mutex;

std::vector<MemoryHolder*>& holders() {
  static auto* const list = new std::vector<MemoryHolder*>;
  return *list;
}

}  // namespace

void add_memory_holder(MemoryHolder& holder) {
  const std::lock_guard lock(mutex);
  holders().push_back(&holder);
}

void remove_memory_holder(MemoryHolder& holder) {
  const std::lock_guard lock(mutex);
  std::erase(holders(), &holder);
}

void Reclaimed::add(const Reclaimed& other) {
  any |= other.any;
  comes_later |= other.comes_later;
  readers.insert(readers.end(), other.readers.begin(), other.readers.end());
}

Reclaimed reclaim_memory(const MemoryHolder& who_asks) {
  const std::lock_guard lock(mutex);
  Reclaimed reclaimed;
  for (MemoryHolder* holder : holders()) {
    if (holder != &who_asks) reclaimed.add(holder->give_back_memory());
  }
  return reclaimed;
}

}  // namespace detour
