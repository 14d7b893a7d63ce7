// Cache lines that are going to be needed, asked for while there is something else to do. Only hints: any address will do.
#pragma once

#include <cstddef>

namespace detour {

inline void fetch_for_reading(const void* line) {
  __builtin_prefetch(line);
}

// Takes it away from other cores, too. Compilers have this as an ordinary fetch unless they are told what processors have
// more; those that don't, do nothing.
inline void fetch_for_writing(const void* line) {
#if defined(__x86_64__)
  asm volatile("prefetchw (%0)" : : "r"(line));
#else
  __builtin_prefetch(line, 1);
#endif
}

inline void fetch_for_writing(const std::byte* data, std::size_t bytes) {
  constexpr std::size_t line_bytes = 64;
  for (std::size_t at = 0; at < bytes; at += line_bytes) fetch_for_writing(data + at);
}

}  // namespace detour
