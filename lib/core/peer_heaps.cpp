#include "core/peer_heaps.hpp"

#include <utility>

namespace detour {

Outcome<PeerHeap> PeerHeaps::open(const HeapHandle& handle) {
  const std::lock_guard lock(mutex_);
  std::erase_if(by_nonce_, [](const auto& known) { return known.second.expired(); });
  if (const auto known = by_nonce_.find(handle.nonce); known != by_nonce_.end()) {
    if (PeerHeap heap = known->second.lock()) return heap;
  }
  auto opened = SharedHeap::open(handle);
  if (!opened.ok()) return opened.without_value<PeerHeap>();
  auto heap = std::make_shared<const SharedHeap>(std::move(opened).value());
  by_nonce_[handle.nonce] = heap;
  return PeerHeap(std::move(heap));
}

}  // namespace detour
