#include "shm/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>

namespace detour {

// What the kernel looks at has to be the number itself.
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

// Neither call is marked as private: the sleepers are other processes.

bool futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                std::chrono::nanoseconds time_limit) {
  const auto limit = std::max(time_limit, std::chrono::nanoseconds::zero());
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  const timespec relative{static_cast<std::time_t>(seconds.count()),
                          static_cast<long>((limit - seconds).count())};
  return ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, &relative, nullptr, 0) == 0 ||
         errno != ETIMEDOUT;
}

void futex_wake_all(const std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace detour
