// The malloc behind ours: the C library's, or another one that was linked or preloaded.
//
// Finding it may itself take memory, before there is any malloc that could be asked. That comes out of a small store
// which is never given back.
#pragma once

#include <malloc.h>

#include <cstddef>
#include <cstdlib>

namespace detour {

struct NextMalloc {
  decltype(&::malloc) malloc;
  decltype(&::calloc) calloc;
  decltype(&::realloc) realloc;
  decltype(&::free) free;
  decltype(&::aligned_alloc) aligned_alloc;
  decltype(&::posix_memalign) posix_memalign;
  decltype(&::memalign) memalign;
  decltype(&::malloc_usable_size) malloc_usable_size;
};

// Null while it is being looked for.
const NextMalloc* next_malloc() noexcept;

// For those who can't wait until it is found: zeros, at a multiple of 64 bytes. Null when the store is empty.
void* take_from_store(std::size_t bytes) noexcept;
bool is_in_store(const void* memory) noexcept;
std::size_t bytes_in_store(const void* memory) noexcept;

}  // namespace detour
