// Heaps for tests that can't go on without.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <utility>

#include "shm/shared_heap.hpp"
#include "support/catch.hpp"

namespace detour::test {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

inline SharedHeap make_heap(std::size_t bytes, Backing backing = Backing::automatic) {
  auto heap = SharedHeap::create(bytes, backing);
  REQUIRE(heap.reason() == "");
  return std::move(heap).value();
}

// The memory that the system has given a memfd heap so far.
inline std::size_t resident_bytes(const SharedHeap& heap) {
  struct stat status {};
  REQUIRE(::fstat(static_cast<int>(heap.handle().file), &status) == 0);
  return static_cast<std::size_t>(status.st_blocks) * 512;
}

}  // namespace detour::test
