#include "shim/memory.hpp"

#include <cstring>

#include "core/user_memory.hpp"
#include "guarded.hpp"
#include "mpi/running.hpp"
#include "shim/below.hpp"
#include "shim/export.hpp"

namespace detour::shim {
namespace {

// What is smaller takes no longer to copy than ranks need to meet, and programs may want thousands of it.
constexpr MPI_Aint least_lent_bytes = 65536;

// Whoever asks for memory of a special kind is to get it from MPI.
bool has_hints(MPI_Info info) {
  int count = 0;
  return info != MPI_INFO_NULL && (PMPI_Info_get_nkeys(info, &count) != MPI_SUCCESS || count > 0);
}

// Null where MPI has to serve the program.
void* lend(MPI_Aint size, MPI_Info info) {
  if (size < least_lent_bytes || !mpi_is_running() || has_hints(info)) return nullptr;
  void* memory = nullptr;
  guarded([&] {
    memory = lend_user_memory(MemoryGiver::mpi, static_cast<std::size_t>(size));
    return MPI_SUCCESS;
  });
  return memory;
}

}  // namespace

int alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr) {
  void* const memory = baseptr == nullptr ? nullptr : lend(size, info);
  if (memory == nullptr) return below().alloc_mem(size, info, baseptr);
  std::memcpy(baseptr, &memory, sizeof memory);
  return MPI_SUCCESS;
}

// What MPI has got from malloc may well be in the heap too, but is MPI's.
int free_mem(void* base) {
  return free_user_memory(MemoryGiver::mpi, base) ? MPI_SUCCESS : below().free_mem(base);
}

}  // namespace detour::shim

DETOUR_REPLACES_MPI int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr) {
  return detour::shim::alloc_mem(size, info, baseptr);
}

DETOUR_REPLACES_MPI int MPI_Free_mem(void* base) {
  return detour::shim::free_mem(base);
}
