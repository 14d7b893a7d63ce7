// What a thread does between two looks at something that is about to come: next to nothing, and saves power.
#pragma once

namespace detour {

inline void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

}  // namespace detour
