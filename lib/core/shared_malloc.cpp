#include "core/shared_malloc.hpp"

#include <dlfcn.h>

#include <new>

#include "core/process.hpp"
#include "core/user_memory.hpp"
#include "log.hpp"
#include "malloc/shared_allocator.hpp"
#include "shm/mapping.hpp"

namespace detour {
namespace {

// These are called from within malloc, in whatever the program, MPI or this library is doing just then. Locks are taken
// that nobody holds who allocates as much as comes here: who holds them needs a few kilobytes for the books, no more.
void* allocate_for_malloc(std::size_t bytes, std::size_t alignment_bytes, bool is_zeroed) noexcept {
  try {
    void* const memory = lend_user_memory(MemoryGiver::malloc, bytes, alignment_bytes);
    if (memory != nullptr && is_zeroed) fill_with_zeros({static_cast<std::byte*>(memory), bytes});
    return memory;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

std::size_t bytes_for_malloc(const void* memory) noexcept {
  return user_memory_bytes(memory);
}

void free_for_malloc(void* memory) noexcept {
  free_user_memory(MemoryGiver::malloc, memory);
}

}  // namespace

void begin_shared_malloc() {
  const auto& process = Process::instance();
  if (!process.ok() || !process.value()->settings().shared_malloc) return;
  auto* const use =
      reinterpret_cast<UseSharedAllocator*>(::dlsym(RTLD_DEFAULT, use_shared_allocator_name));
  if (use == nullptr) {
    log(LogLevel::warn, "DETOUR_SHARED_MALLOC is on, but libdetour_malloc.so is not preloaded");
    return;
  }
  const auto heap = process.value()->sparse_heap();
  if (!heap) {
    log(LogLevel::info, "DETOUR_SHARED_MALLOC is on, but this process shares no memory");
    return;
  }
  if (!begin_lending_user_memory(heap)) {
    log(LogLevel::warn, "DETOUR_SHARED_MALLOC is on, but there is no memory to prepare for forks");
    return;
  }
  static SharedAllocator allocator;
  allocator = {heap->base(), heap->base() + heap->bytes().size(), allocate_for_malloc,
               bytes_for_malloc, free_for_malloc};
  use(&allocator);
}

}  // namespace detour
