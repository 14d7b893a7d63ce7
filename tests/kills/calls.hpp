// The operations under test: those of the library's interface, or MPI's in a program that knows nothing of the library. Built
// once for each.
#pragma once

#include <mpi.h>

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

}  // namespace detour::kills
