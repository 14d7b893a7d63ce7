#include "failing_new.hpp"

#include <cstdlib>
#include <new>

namespace detour::test {

AllocationLimits& allocation_limits() {
  thread_local AllocationLimits limits;
  return limits;
}

namespace {

bool has_to_fail(std::size_t bytes) {
  AllocationLimits& limits = allocation_limits();
  return bytes > limits.bytes_max || (limits.count_left >= 0 && limits.count_left-- == 0);
}

}  // namespace

}  // namespace detour::test

// In place of the standard library's, which call these for all other forms but the aligned ones. The library has
// to find them.
__attribute__((visibility("default"))) void* operator new(std::size_t bytes) {
  void* const memory =
      detour::test::has_to_fail(bytes) ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
__attribute__((visibility("default"))) void operator delete(void* memory) noexcept {
  std::free(memory);
}
__attribute__((visibility("default"))) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
