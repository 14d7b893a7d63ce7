// Heaps for tests that can't go on without.
#pragma once

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

}  // namespace detour::test
