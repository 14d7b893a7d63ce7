#include "bench/detour_memory.hpp"

#include <cstdint>
#include <new>

#include "detour/detour.h"

namespace detour::tool {

PageMemory allocate_from_detour(std::size_t bytes) {
  void* memory = nullptr;
  const std::size_t page = BenchBuffers::page_bytes;
  if (Detour_Alloc(static_cast<MPI_Aint>(bytes + page), MPI_INFO_NULL, &memory) != MPI_SUCCESS) {
    throw std::bad_alloc();
  }
  // Nobody promises page boundaries there.
  const std::size_t offset = (page - reinterpret_cast<std::uintptr_t>(memory) % page) % page;
  return {static_cast<std::byte*>(memory) + offset, [memory](std::byte*) { Detour_Free(memory); }};
}

}  // namespace detour::tool
