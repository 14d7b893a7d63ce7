// What the failure detector keeps of a process in that process's heap.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "failure/life_lock.hpp"
#include "failure/progress_line.hpp"

namespace detour {

// What is said of a process only once, although several others come to know it.
enum class LifeNote : std::uint32_t { fenced = 1, died = 2 };

struct alignas(128) LifeRecord {
  // In memory of at least sizeof(LifeRecord), suitably aligned. The owner makes it, and starts its
  // detector, before others look for it.
  static LifeRecord& create_at(std::byte* place) { return *new (place) LifeRecord; }
  static LifeRecord& at(std::byte* place) {
    return *std::launder(reinterpret_cast<LifeRecord*>(place));
  }

  // True for the first of all processes that asks: it is the one to say so.
  bool claim_note(LifeNote note) {
    const auto bit = static_cast<std::uint32_t>(note);
    return (said_.fetch_or(bit) & bit) == 0;
  }

  LifeLock lock;
  // On a line of its own: written often, while others read the lock.
  alignas(64) ProgressLine progress;

 private:
  std::atomic<std::uint32_t> said_{0};
};

static_assert(sizeof(LifeRecord) == 128);

}  // namespace detour
