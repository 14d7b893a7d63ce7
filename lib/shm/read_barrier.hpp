// For whoever has read memory that others may have been writing, and then asks whether it was still right to read it.
#pragma once

#include <atomic>

namespace detour {

// What was read before is read before what is read after.
inline void read_barrier() {
#ifdef __SANITIZE_THREAD__
  // gcc's thread sanitizer knows no fences. The processors that it runs on keep reads in order, but the compiler has to.
  std::atomic_signal_fence(std::memory_order_acquire);
#else
  std::atomic_thread_fence(std::memory_order_acquire);
#endif
}

}  // namespace detour
