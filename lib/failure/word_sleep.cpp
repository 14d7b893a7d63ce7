#include "failure/word_sleep.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <ctime>

namespace detour {
namespace {

// The call takes the time at which to end.
timespec time_after(std::chrono::nanoseconds time_limit) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const auto end =
      std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec) + time_limit;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(end);
  return {static_cast<std::time_t>(seconds.count()), static_cast<long>((end - seconds).count())};
}

}  // namespace

// Of no words at all: where the call exists, it finds that invalid.
bool can_sleep_on_several_words() {
  return ::syscall(SYS_futex_waitv, nullptr, 0, 0, nullptr, CLOCK_MONOTONIC) != 0 &&
         errno == EINVAL;
}

void sleep_on_words(std::span<const SeenWord> words, std::chrono::nanoseconds time_limit) {
  std::array<futex_waitv, words_max> waiters{};
  for (std::size_t index = 0; index < words.size(); ++index) {
    waiters[index].val = words[index].seen;
    waiters[index].uaddr = reinterpret_cast<std::uintptr_t>(words[index].word);
    waiters[index].flags = FUTEX_32;  // and not private: other processes wake
  }
  const timespec end = time_after(time_limit);
  ::syscall(SYS_futex_waitv, waiters.data(), words.size(), 0, &end, CLOCK_MONOTONIC);
}

}  // namespace detour
