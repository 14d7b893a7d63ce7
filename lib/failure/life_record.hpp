// What the failure detector keeps of a process in that process's heap.
#pragma once

#include <cstddef>
#include <new>

#include "failure/life_lock.hpp"
#include "failure/progress_line.hpp"

namespace detour {

struct alignas(128) LifeRecord {
  // In memory of at least sizeof(LifeRecord), suitably aligned. The owner makes it, and starts its
  // detector, before others look for it.
  static LifeRecord& create_at(std::byte* place) { return *new (place) LifeRecord; }
  static LifeRecord& at(std::byte* place) {
    return *std::launder(reinterpret_cast<LifeRecord*>(place));
  }

  LifeLock lock;
  // On a line of its own: written often, while others read the lock.
  alignas(64) ProgressLine progress;
};

static_assert(sizeof(LifeRecord) == 128);

}  // namespace detour
