// What mpirun was told to do when a rank dies.
#pragma once

#include "detour/routing/api.hpp"

namespace detour {

// Whether the others go on: Open MPI 4 by --enable-recovery, 5 by --with-ft ulfm. While MPI runs; never changes.
DETOUR_API bool mpirun_lets_others_go_on();

}  // namespace detour
