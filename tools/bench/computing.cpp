#include "bench/computing.hpp"

#include <time.h>

namespace detour::tool {
namespace {

std::uint64_t thread_time_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

void spend_processor_time(std::uint64_t us) {
  const std::uint64_t end_ns = thread_time_ns() + us * 1000;
  while (thread_time_ns() < end_ns) {
  }
}

}  // namespace detour::tool
