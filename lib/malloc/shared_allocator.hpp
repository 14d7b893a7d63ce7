// How libdetour_malloc.so gets at shared memory: libdetour tells it, once it has some. The two know nothing else of each
// other, so that the first can be preloaded anywhere, and the second does without it.
#pragma once

#include <cstddef>

namespace detour {

// What is smaller stays where it would be without us: it would not fill a huge page.
inline constexpr std::size_t least_shared_bytes = std::size_t{2} << 20;
inline constexpr std::size_t shared_alignment_bytes_max = std::size_t{2} << 20;

// Any thread may call any of these, but for a child that was forked: it gets no memory, and what it frees stays.
struct SharedAllocator {
  // All memory that it ever gives lies between these.
  const std::byte* begin;
  const std::byte* end;

  // Null if there is none to give. The alignment is a power of two up to the greatest.
  void* (*allocate)(std::size_t bytes, std::size_t alignment_bytes, bool is_zeroed) noexcept;
  // As much as was asked for, at least.
  std::size_t (*bytes_of)(const void* memory) noexcept;
  void (*free)(void* memory) noexcept;
};

// What libdetour_malloc exports for that. The allocator has to stay for ever.
using UseSharedAllocator = void(const SharedAllocator* allocator);
inline constexpr const char* use_shared_allocator_name = "detour_use_shared_allocator";

}  // namespace detour
