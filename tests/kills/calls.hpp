// The operations under test: those of the library's interface, or MPI's in a program that knows nothing of the library. Built
// once for each.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#ifdef KILLS_USE_DETOUR
#include <detour/detour.h>
#define KILLS_CALL(name) Detour_##name
#else
#define KILLS_CALL(name) MPI_##name
#endif

namespace detour::kills {

// MPI does not know the communicator's new part before its first operation; under the preloaded library it does.
inline void prepare([[maybe_unused]] MPI_Comm comm) {
#ifdef KILLS_USE_DETOUR
  Detour_Prepare(comm);
#endif
}

// Who contributed to the last operation on the communicator, by its ranks, where one can ask.
inline std::optional<std::uint32_t> last_contributors([[maybe_unused]] MPI_Comm comm) {
#ifdef KILLS_USE_DETOUR
  Detour_Result result;
  if (Detour_Last_result(comm, &result) != MPI_SUCCESS) return std::nullopt;
  return static_cast<std::uint32_t>(result.contributors[0]);
#else
  return std::nullopt;
#endif
}

// Memory that other ranks map too; under the preloaded library, and for large pieces, MPI's own call gives such.
inline int allocate_shared(std::size_t bytes, void* place) {
#ifdef KILLS_USE_DETOUR
  return Detour_Alloc(static_cast<MPI_Aint>(bytes), MPI_INFO_NULL, place);
#else
  return MPI_Alloc_mem(static_cast<MPI_Aint>(bytes), MPI_INFO_NULL, place);
#endif
}

inline void free_shared(void* place) {
#ifdef KILLS_USE_DETOUR
  Detour_Free(place);
#else
  MPI_Free_mem(place);
#endif
}

}  // namespace detour::kills
