// Other processes' heaps, each mapped once however many communicators share it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "detour/routing/outcome.hpp"
#include "shm/shared_heap.hpp"

namespace detour {

using PeerHeap = std::shared_ptr<const SharedHeap>;

class PeerHeaps {
 public:
  // Unmapped when the last user lets go.
  Outcome<PeerHeap> open(const HeapHandle& handle);

 private:
  std::mutex mutex_;
  std::map<std::array<std::uint64_t, 2>, std::weak_ptr<const SharedHeap>> by_nonce_;
};

}  // namespace detour
