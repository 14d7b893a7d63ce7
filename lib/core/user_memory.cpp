#include "core/user_memory.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "core/process.hpp"
#include "log.hpp"

namespace detour {
namespace {

// What is not lent, at the low end: enough for the operations of many communicators. By place and not by size, so that it
// stays in one piece whatever the program allocates and frees.
constexpr std::size_t reserve_bytes_max = std::size_t{128} << 20;

std::size_t reserve_bytes(const OwnHeap& heap) {
  return std::min(heap.capacity_bytes() / 2, reserve_bytes_max);
}

// The highest one that there is, if it does not reach below the floor.
HeapPart allocate_above(std::size_t floor_offset, const std::shared_ptr<OwnHeap>& heap,
                        std::size_t bytes, std::size_t alignment_bytes) {
  HeapPart part = allocate_part(heap, bytes, alignment_bytes, HeapEnd::high);
  return part && part.offset() >= floor_offset ? std::move(part) : HeapPart();
}

// Large ones at a huge page, so that they are made of such, unless that leaves too little room.
HeapPart allocate_part_for_user(std::size_t floor_offset, const std::shared_ptr<OwnHeap>& heap,
                                std::size_t bytes, std::size_t least_alignment_bytes) {
  if (bytes >= huge_page_bytes) {
    if (HeapPart part = allocate_above(floor_offset, heap, bytes, huge_page_bytes)) return part;
  }
  const std::size_t own_bytes = bytes >= page_bytes() ? page_bytes() : HeapArena::line_bytes;
  return allocate_above(floor_offset, heap, std::max<std::size_t>(bytes, 1),
                        std::max(own_bytes, least_alignment_bytes));
}

class UserMemory {
 public:
  static UserMemory& instance() {
    // Never destroyed: programs may free what they have until the very end. And made without memory, for those who are
    // at an end for lack of it.
    alignas(UserMemory) static std::byte place[sizeof(UserMemory)];
    static auto* const memory = new (place) UserMemory;
    return *memory;
  }

  struct Wish {
    MemoryGiver giver = MemoryGiver::mpi;
    std::size_t bytes = 0;
    std::size_t alignment_bytes = 1;
  };
  // Before the program may fork. It is the same heap every time. False if forks can't be prepared for.
  bool begin(const std::shared_ptr<OwnHeap>& heap);
  // Nothing below that offset.
  void* allocate(const std::shared_ptr<OwnHeap>& heap, const Wish& wish, std::size_t floor_offset);
  std::size_t bytes_of(const void* memory);
  bool free(MemoryGiver giver, void* memory);
  void stop_lending() { is_lending_.store(false, std::memory_order_relaxed); }
  bool is_lending() const { return is_lending_.load(std::memory_order_relaxed); }

 private:
  struct Piece {
    MemoryGiver giver;
    HeapPart part;
  };

  bool prepare_for_forks(const std::shared_ptr<OwnHeap>& heap);
  // Also one that was made without running the handlers of forks.
  bool is_in_child() const { return is_childs_ || ::getpid() != owner_pid_; }
  static void before_fork() { instance().mutex_.lock(); }
  static void after_fork() { instance().mutex_.unlock(); }
  static void after_fork_in_child();

  const pid_t owner_pid_ = ::getpid();
  std::mutex mutex_;  // guards what follows
  bool is_prepared_for_forks_ = false;
  bool is_childs_ = false;
  std::shared_ptr<OwnHeap> heap_;
  std::map<const void*, Piece> pieces_;

  std::atomic<bool> is_lending_{true};
};

bool UserMemory::begin(const std::shared_ptr<OwnHeap>& heap) {
  const std::lock_guard lock(mutex_);
  return prepare_for_forks(heap);
}

void* UserMemory::allocate(const std::shared_ptr<OwnHeap>& heap, const Wish& wish,
                           std::size_t floor_offset) {
  const std::lock_guard lock(mutex_);
  if (is_in_child() || !prepare_for_forks(heap)) return nullptr;
  HeapPart part = allocate_part_for_user(floor_offset, heap, wish.bytes, wish.alignment_bytes);
  if (!part) return nullptr;
  void* const memory = part.memory();
  pieces_.emplace(memory, Piece{wish.giver, std::move(part)});
  return memory;
}

std::size_t UserMemory::bytes_of(const void* memory) {
  const std::lock_guard lock(mutex_);
  const auto found = pieces_.find(memory);
  return found == pieces_.end() ? 0 : found->second.part.bytes();
}

bool UserMemory::free(MemoryGiver giver, void* memory) {
  const std::lock_guard lock(mutex_);
  const auto found = pieces_.find(memory);
  if (found == pieces_.end() || found->second.giver != giver) return false;
  // Other threads, which a child does not have, may have been in the middle of something in the heap.
  if (is_in_child()) return true;
  pieces_.erase(found);
  return true;
}

bool UserMemory::prepare_for_forks(const std::shared_ptr<OwnHeap>& heap) {
  if (!is_prepared_for_forks_) {
    heap_ = heap;
    is_prepared_for_forks_ = ::pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
  }
  return is_prepared_for_forks_;
}

void UserMemory::after_fork_in_child() {
  UserMemory& memory = instance();
  // A child's child has its parent's copy already.
  if (memory.heap_ && !memory.is_childs_) memory.heap_->become_childs_copy();
  memory.is_childs_ = true;
  memory.stop_lending();
  memory.mutex_.unlock();
}

}  // namespace

void* allocate_user_memory(std::size_t bytes) {
  const auto& process = Process::instance();
  if (!process.ok()) return nullptr;
  const auto heap = process.value()->heap(SharedBy::memfd, 1);
  if (!heap.ok()) return nullptr;
  return UserMemory::instance().allocate(heap.value(), {.bytes = bytes}, 0);
}

bool begin_lending_user_memory(const std::shared_ptr<OwnHeap>& heap) {
  return UserMemory::instance().begin(heap);
}

void* lend_user_memory(MemoryGiver giver, std::size_t bytes, std::size_t alignment_bytes) {
  UserMemory& memory = UserMemory::instance();
  const auto& process = Process::instance();
  if (!process.ok() || !memory.is_lending()) return nullptr;
  const auto heap = process.value()->sparse_heap();
  if (!heap) return nullptr;
  void* const lent = memory.allocate(heap, {giver, bytes, alignment_bytes}, reserve_bytes(*heap));
  static std::atomic<bool> was_told{false};
  if (lent == nullptr && memory.is_lending() && !was_told.exchange(true)) {
    log(LogLevel::info,
        "{} bytes of the program's are ordinary memory: DETOUR_MEMORY_BYTES has no room for them",
        bytes);
  }
  return lent;
}

void stop_lending_user_memory() {
  UserMemory::instance().stop_lending();
}

std::size_t user_memory_bytes(const void* memory) {
  return UserMemory::instance().bytes_of(memory);
}

bool free_user_memory(MemoryGiver giver, void* memory) {
  return UserMemory::instance().free(giver, memory);
}

}  // namespace detour
