// The memory that this process shares with the others of its node, and what it has handed out of it.
//
// Several threads may allocate and free at once, each for a communicator of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "core/letter_box.hpp"
#include "detour/routing/outcome.hpp"
#include "failure/life_record.hpp"
#include "shm/counter.hpp"
#include "shm/heap_arena.hpp"
#include "shm/shared_heap.hpp"

namespace detour {

class OwnHeap {
 public:
  static Outcome<std::shared_ptr<OwnHeap>> create(std::size_t bytes, Backing backing);

  explicit OwnHeap(SharedHeap heap);

  const HeapHandle& handle() const { return heap_.handle(); }
  std::span<std::byte> bytes() const { return heap_.bytes(); }
  std::byte* base() const { return bytes().data(); }
  // Once all who are to open it have done so.
  void unlink() { heap_.unlink(); }
  void become_childs_copy() const { heap_.become_childs_copy(); }

  std::optional<HeapBlock> allocate(std::size_t bytes,
                                    std::size_t alignment_bytes = alignof(Counter),
                                    HeapEnd end = HeapEnd::low);
  void free(std::size_t offset);

  std::size_t used_bytes();
  std::size_t capacity_bytes() const { return arena_.capacity_bytes(); }

  // For those who make several changes at once.
  std::mutex& mutex() { return mutex_; }
  HeapArena& arena() { return arena_; }

  // Rung by whoever has something new for this process. In every heap at the same place.
  static Counter& doorbell_of(std::byte* heap_base) { return Counter::at(heap_base); }
  Counter& doorbell() const { return doorbell_of(base()); }
  // By which others learn that this process is dead. At the same place in every heap, too.
  static LifeRecord& life_record_of(std::byte* heap_base) {
    return LifeRecord::at(heap_base + sizeof(Counter));
  }
  LifeRecord& life_record() const { return life_record_of(base()); }
  // Through which this process and others make communicators. At the same place, too.
  static LetterBox& letter_box_of(std::byte* heap_base) {
    return LetterBox::at(heap_base + sizeof(Counter) + sizeof(LifeRecord));
  }

 private:
  SharedHeap heap_;
  HeapArena arena_;
  std::mutex mutex_;
};

// A part of the heap that is given back when it is no longer wanted.
class HeapPart {
 public:
  HeapPart() = default;
  HeapPart(std::shared_ptr<OwnHeap> heap, const HeapBlock& block)
      : heap_(std::move(heap)), block_(block) {}
  ~HeapPart() {
    if (heap_) heap_->free(block_.offset);
  }
  HeapPart(HeapPart&& other) noexcept : heap_(std::move(other.heap_)), block_(other.block_) {}
  HeapPart& operator=(HeapPart&& other) noexcept {
    std::swap(heap_, other.heap_);
    std::swap(block_, other.block_);
    return *this;
  }

  explicit operator bool() const { return heap_ != nullptr; }
  std::size_t offset() const { return block_.offset; }
  std::size_t bytes() const { return block_.bytes; }
  std::byte* memory() const { return heap_->base() + block_.offset; }

  // It is not given back, and nobody gets it any more.
  void leave_for_good() noexcept { heap_.reset(); }

 private:
  std::shared_ptr<OwnHeap> heap_;
  HeapBlock block_;
};

// A part that other processes know of, and may look at or write into whatever becomes of this one's plans. It is given back
// at its end only if somebody has found out that they don't any more. Otherwise it stays as it is: that is some memory
// lost, where the alternative is that somebody writes into what has come to be something else.
class KnownPart {
 public:
  KnownPart() = default;
  explicit KnownPart(HeapPart part) : part_(std::move(part)) {}
  ~KnownPart() {
    if (!is_forgotten_) part_.leave_for_good();
  }
  KnownPart(KnownPart&&) = default;
  KnownPart& operator=(KnownPart&& other) noexcept {
    std::swap(part_, other.part_);
    std::swap(is_forgotten_, other.is_forgotten_);
    return *this;
  }

  // No other process looks at it any more, or is going to.
  void mark_forgotten() { is_forgotten_ = true; }

  explicit operator bool() const { return static_cast<bool>(part_); }
  std::size_t offset() const { return part_.offset(); }
  std::byte* memory() const { return part_.memory(); }

 private:
  HeapPart part_;
  bool is_forgotten_ = false;
};

// Empty if there is no room.
HeapPart allocate_part(const std::shared_ptr<OwnHeap>& heap, std::size_t bytes,
                       std::size_t alignment_bytes = alignof(Counter), HeapEnd end = HeapEnd::low);

}  // namespace detour
