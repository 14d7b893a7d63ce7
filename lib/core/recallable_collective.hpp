// Waiting for a nonblocking collective of MPI's that may never end, because a member has died.
#pragma once

#include <mpi.h>

#include <functional>

namespace detour {

// False if `is_pointless` said so before the end: then the request stays with MPI for ever, and with it the memory
// that it was given. It is asked often, and has to be quick.
bool wait_unless(MPI_Request* request, const std::function<bool()>& is_pointless);

}  // namespace detour
