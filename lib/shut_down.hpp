// The end of the library's work in this process.
#pragma once

#include "detour/routing/api.hpp"

namespace detour {

// Releases communicators and ends the helper thread. Before PMPI_Finalize, which otherwise does it itself;
// harmless if nothing was used.
DETOUR_API void shut_down();

}  // namespace detour
