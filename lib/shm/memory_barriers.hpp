// Barriers between what one thread does and what it does next, for those who share memory without locks. gcc's thread
// sanitizer knows no fences and refuses them: where it is on, each of them is made of what it does know.
#pragma once

#include <atomic>

namespace detour {

// What was read before is read before what is read after: for whoever has read memory that others may have been writing,
// and then asks whether it was still right to read it.
inline void read_barrier() {
#ifdef __SANITIZE_THREAD__
  // The processors that the sanitizer runs on keep reads in order, but the compiler has to.
  std::atomic_signal_fence(std::memory_order_acquire);
#else
  std::atomic_thread_fence(std::memory_order_acquire);
#endif
}

// What was written before is seen by others before anything is read after: for two who each tell something and then look
// whether the other has. One of them at least sees what the other told.
inline void full_barrier() {
#ifdef __SANITIZE_THREAD__
  // On the processors that the sanitizer runs on, an exchange orders all that is before and after it, whatever its word.
  std::atomic<int> word{0};
  word.exchange(1, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace detour
