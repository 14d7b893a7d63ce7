// Requests of windows and files, which may wait for ranks that have died: completing one that does ends the job.
#pragma once

#include <mpi.h>

#include "core/call_watch.hpp"

namespace detour::shim {

// Puts a request of the library's in the place of MPI's, of which `members` may have to do their part.
int watch_request(const char* name, WorldRanks members, MPI_Request* request);

}  // namespace detour::shim
