// What a failed call is to its callers.
#pragma once

#include "collectives/call_header.hpp"

namespace detour {

// MPI's class of the error, the same on all ranks; the log says it in words.
int explain(const CallVerdict& verdict);

}  // namespace detour
