#include "core/own_heap.hpp"

#include <stdexcept>
#include <utility>

#include "settings.hpp"

namespace detour {
namespace {

constexpr std::size_t owners_bytes = sizeof(Counter) + sizeof(LifeRecord) + sizeof(LetterBox);
static_assert(owners_bytes < memory_bytes_min / 2, "no room left for communicators");

}  // namespace

Outcome<std::shared_ptr<OwnHeap>> OwnHeap::create(std::size_t bytes, Backing backing) {
  auto heap = SharedHeap::create(bytes, backing);
  if (!heap.ok()) return heap.without_value<std::shared_ptr<OwnHeap>>();
  return std::make_shared<OwnHeap>(std::move(heap).value());
}

OwnHeap::OwnHeap(SharedHeap heap) : heap_(std::move(heap)), arena_(heap_) {
  // First fit: the first block is at the start.
  const auto first = arena_.allocate(owners_bytes, alignof(Counter));
  if (!first || first->offset != 0) throw std::logic_error("a heap without room for its owner");
  Counter::create_at(base());
  LifeRecord::create_at(base() + sizeof(Counter));
  LetterBox::create_at(base() + sizeof(Counter) + sizeof(LifeRecord));
}

std::optional<HeapBlock> OwnHeap::allocate(std::size_t bytes, std::size_t alignment_bytes,
                                           HeapEnd end) {
  const std::lock_guard lock(mutex_);
  return arena_.allocate(bytes, alignment_bytes, end);
}

void OwnHeap::free(std::size_t offset) {
  const std::lock_guard lock(mutex_);
  arena_.free(offset);
}

std::size_t OwnHeap::used_bytes() {
  const std::lock_guard lock(mutex_);
  return arena_.used_bytes();
}

HeapPart allocate_part(const std::shared_ptr<OwnHeap>& heap, std::size_t bytes,
                       std::size_t alignment_bytes, HeapEnd end) {
  const auto block = heap->allocate(bytes, alignment_bytes, end);
  return block ? HeapPart(heap, *block) : HeapPart();
}

}  // namespace detour
