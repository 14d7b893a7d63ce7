#include <cstring>

#include "c_api/collective.hpp"
#include "core/user_memory.hpp"
#include "detour/detour.h"

int Detour_Alloc(MPI_Aint size, MPI_Info, void* baseptr) {
  using namespace detour;
  if (size < 0) return report(MPI_COMM_WORLD, MPI_ERR_ARG);
  if (baseptr == nullptr) return report(MPI_COMM_WORLD, MPI_ERR_BUFFER);
  return reporting(MPI_COMM_WORLD, [&] {
    void* const memory = allocate_user_memory(static_cast<std::size_t>(size));
    if (memory == nullptr) return report(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
    // Any pointer to a pointer comes here, whatever it points to.
    std::memcpy(baseptr, &memory, sizeof memory);
    return MPI_SUCCESS;
  });
}

int Detour_Free(void* base) {
  using namespace detour;
  return free_user_memory(MemoryGiver::mpi, base) ? MPI_SUCCESS
                                                  : report(MPI_COMM_WORLD, MPI_ERR_BASE);
}
