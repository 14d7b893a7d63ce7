// Allocations that fail when a test wants them to, its own and the library's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace detour::test {

// For each thread on its own: the library's others know nothing of the test.
struct AllocationLimits {
  long count_left = -1;  // so many succeed, then one fails; negative: none fails
  std::size_t bytes_max = SIZE_MAX;
};
AllocationLimits& allocation_limits();

}  // namespace detour::test
