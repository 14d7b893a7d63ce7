// The class of errors that say: a rank has died.
#pragma once

#include "detour/routing/api.hpp"

namespace detour {

// MPIX_ERR_PROC_FAILED where MPI has it; otherwise one of the library's own, with a text.
DETOUR_API int process_failed_class();

}  // namespace detour
