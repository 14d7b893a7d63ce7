#include "shim/abort.hpp"

#include <string>

#include "launcher_channel.hpp"
#include "shim/below.hpp"
#include "shim/export.hpp"

namespace detour::shim {

// In a job that goes on when ranks end, mpirun does so after MPI_Abort too: only the launcher ends it all. MPI
// then ends this process with its own words.
int abort(MPI_Comm comm, int status) {
  announce_abort(status, "MPI_Abort with status " + std::to_string(status));
  return below().abort(comm, status);
}

}  // namespace detour::shim

DETOUR_REPLACES_MPI int MPI_Abort(MPI_Comm comm, int errorcode) {
  return detour::shim::abort(comm, errorcode);
}
