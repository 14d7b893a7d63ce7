// The kernel's sleep on a number in memory, among processes.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace detour {

// Sleeps while the word is `expected`. Returns false if the time is over; true for everything else,
// a wake-up without cause too.
bool futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                std::chrono::nanoseconds time_limit);

void futex_wake_all(const std::atomic<std::uint32_t>& word);

}  // namespace detour
