#include "bench/detour_memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include "detour/detour.h"
#include "settings.hpp"

namespace detour::tool {
namespace {

// MPI's rule is to end the job when there is no memory.
int allocate_or_say_so(std::size_t bytes, void** memory) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int error = Detour_Alloc(static_cast<MPI_Aint>(bytes), MPI_INFO_NULL, memory);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  PMPI_Errhandler_free(&handler);
  return error;
}

}  // namespace

void make_room_in_library(std::uint64_t bytes) {
  const std::uint64_t usual_bytes = Settings().memory_bytes;
  ::setenv("DETOUR_MEMORY_BYTES", std::to_string(usual_bytes + bytes).c_str(), 0);
}

PageMemory allocate_from_detour(std::size_t bytes) {
  void* memory = nullptr;
  const std::size_t page = BenchBuffers::page_bytes;
  if (allocate_or_say_so(bytes + page, &memory) != MPI_SUCCESS) throw std::bad_alloc();
  // Nobody promises page boundaries there.
  const std::size_t offset = (page - reinterpret_cast<std::uintptr_t>(memory) % page) % page;
  return {static_cast<std::byte*>(memory) + offset, [memory](std::byte*) { Detour_Free(memory); }};
}

}  // namespace detour::tool
