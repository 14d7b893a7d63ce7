// Sleeping on several words in shared memory at once, where the kernel can (Linux 5.16).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

namespace detour {

struct SeenWord {
  const std::atomic<std::uint32_t>* word = nullptr;
  std::uint32_t seen = 0;
};

// Not before Linux 5.16, nor where a container's rules don't know the call.
bool can_sleep_on_several_words();

inline constexpr std::size_t words_max = 8;

// Until one of them, of which there are 1 to words_max, is no longer what was seen and somebody wakes
// those who sleep on it, or the time is over. May return early: look again.
void sleep_on_words(std::span<const SeenWord> words, std::chrono::nanoseconds time_limit);

}  // namespace detour
