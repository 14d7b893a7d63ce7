// malloc and its family: large pieces are shared memory once there is some, everything else is the next malloc's.
//
// What belongs to whom is told by its address, so that any thread may free anything, also what was allocated before there
// was shared memory or after it had run out.
#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "detour/routing/api.hpp"
#include "malloc/next_malloc.hpp"
#include "malloc/shared_allocator.hpp"

namespace {

using namespace detour;

constinit std::atomic<const SharedAllocator*> shared{nullptr};

// Who owns that memory, if it is shared.
const SharedAllocator* owner_of(const void* memory) noexcept {
  const SharedAllocator* const allocator = shared.load(std::memory_order_acquire);
  const std::less<const void*> before;
  return allocator != nullptr && !before(memory, allocator->begin) && before(memory, allocator->end)
             ? allocator
             : nullptr;
}

// By hand: what the compiler would call for std::has_single_bit is in a library of its own.
bool is_power_of_two(std::size_t number) noexcept {
  return number != 0 && (number & (number - 1)) == 0;
}

// Null for what is none of ours.
void* allocate_shared(std::size_t bytes, std::size_t alignment_bytes, bool is_zeroed) noexcept {
  if (bytes < least_shared_bytes || bytes > PTRDIFF_MAX) return nullptr;
  if (!is_power_of_two(alignment_bytes) || alignment_bytes > shared_alignment_bytes_max) {
    return nullptr;
  }
  const SharedAllocator* const allocator = shared.load(std::memory_order_acquire);
  if (allocator == nullptr) return nullptr;
  const int error = errno;
  void* const memory = allocator->allocate(bytes, alignment_bytes, is_zeroed);
  errno = error;
  return memory;
}

void free_shared(const SharedAllocator& allocator, void* memory) noexcept {
  const int error = errno;
  allocator.free(memory);
  errno = error;
}

// What is not the next one's, which has to change hands.
void* move_to_new(const void* memory, std::size_t old_bytes, std::size_t bytes) noexcept {
  void* const larger = std::malloc(bytes);
  if (larger != nullptr) std::memcpy(larger, memory, old_bytes < bytes ? old_bytes : bytes);
  return larger;
}

// What has grown may grow again, and each time all of it is copied: so by half of its size at least, of which untouched
// pages cost nothing.
void* grow_or_move(const void* memory, std::size_t old_bytes, std::size_t bytes) noexcept {
  const std::size_t roomy_bytes = old_bytes + old_bytes / 2;
  if (bytes > old_bytes && roomy_bytes > bytes) {
    if (void* const roomy = allocate_shared(roomy_bytes, 1, false)) {
      return std::memcpy(roomy, memory, old_bytes);
    }
  }
  return move_to_new(memory, old_bytes, bytes);
}

void* reallocate_shared(const SharedAllocator& allocator, void* memory,
                        std::size_t bytes) noexcept {
  if (bytes == 0) {
    free_shared(allocator, memory);
    return nullptr;
  }
  const std::size_t old_bytes = allocator.bytes_of(memory);
  // Unless much of it would be left unused.
  if (bytes <= old_bytes && bytes >= old_bytes / 2) return memory;
  void* const moved = grow_or_move(memory, old_bytes, bytes);
  if (moved != nullptr) free_shared(allocator, memory);
  return moved;
}

}  // namespace

extern "C" DETOUR_API void detour_use_shared_allocator(const SharedAllocator* allocator) {
  shared.store(allocator, std::memory_order_release);
}

extern "C" DETOUR_API void* malloc(std::size_t bytes) noexcept {
  if (void* const memory = allocate_shared(bytes, 1, false)) return memory;
  const NextMalloc* const next = next_malloc();
  return next != nullptr ? next->malloc(bytes) : take_from_store(bytes);
}

extern "C" DETOUR_API void* calloc(std::size_t count, std::size_t bytes_each) noexcept {
  std::size_t bytes = 0;
  const bool fits = !__builtin_mul_overflow(count, bytes_each, &bytes);
  if (void* const memory = fits ? allocate_shared(bytes, 1, true) : nullptr) return memory;
  const NextMalloc* const next = next_malloc();
  if (next != nullptr) return next->calloc(count, bytes_each);
  return fits ? take_from_store(bytes) : nullptr;
}

extern "C" DETOUR_API void free(void* memory) noexcept {
  if (const SharedAllocator* const owner = owner_of(memory)) {
    free_shared(*owner, memory);
  } else if (const NextMalloc* const next = next_malloc();
             next != nullptr && memory != nullptr && !is_in_store(memory)) {
    next->free(memory);
  }
}

extern "C" DETOUR_API void* realloc(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return malloc(bytes);
  if (const SharedAllocator* const owner = owner_of(memory)) {
    return reallocate_shared(*owner, memory, bytes);
  }
  if (is_in_store(memory)) return move_to_new(memory, bytes_in_store(memory), bytes);
  const NextMalloc* const next = next_malloc();
  if (next == nullptr) return nullptr;
  // What grows large enough becomes shared; what was large before was not for a reason.
  const std::size_t old_bytes = next->malloc_usable_size(memory);
  void* const larger = old_bytes < least_shared_bytes ? allocate_shared(bytes, 1, false) : nullptr;
  if (larger != nullptr) {
    std::memcpy(larger, memory, old_bytes < bytes ? old_bytes : bytes);
    next->free(memory);
    return larger;
  }
  return next->realloc(memory, bytes);
}

extern "C" DETOUR_API void* aligned_alloc(std::size_t alignment_bytes, std::size_t bytes) noexcept {
  if (void* const memory = allocate_shared(bytes, alignment_bytes, false)) return memory;
  const NextMalloc* const next = next_malloc();
  return next != nullptr ? next->aligned_alloc(alignment_bytes, bytes) : nullptr;
}

extern "C" DETOUR_API void* memalign(std::size_t alignment_bytes, std::size_t bytes) noexcept {
  if (void* const memory = allocate_shared(bytes, alignment_bytes, false)) return memory;
  const NextMalloc* const next = next_malloc();
  return next != nullptr ? next->memalign(alignment_bytes, bytes) : nullptr;
}

extern "C" DETOUR_API int posix_memalign(void** place, std::size_t alignment_bytes,
                                         std::size_t bytes) noexcept {
  // Smaller ones are an error, for the next one to tell.
  if (alignment_bytes >= sizeof(void*)) {
    if (void* const memory = allocate_shared(bytes, alignment_bytes, false)) {
      *place = memory;
      return 0;
    }
  }
  const NextMalloc* const next = next_malloc();
  return next != nullptr ? next->posix_memalign(place, alignment_bytes, bytes) : ENOMEM;
}

extern "C" DETOUR_API std::size_t malloc_usable_size(void* memory) noexcept {
  if (const SharedAllocator* const owner = owner_of(memory)) return owner->bytes_of(memory);
  if (is_in_store(memory)) return bytes_in_store(memory);
  const NextMalloc* const next = next_malloc();
  return next != nullptr && memory != nullptr ? next->malloc_usable_size(memory) : 0;
}
