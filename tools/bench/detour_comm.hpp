// A communicator with settings of its own.
#pragma once

#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "bench/peers.hpp"

namespace detour::tool {

// As Detour_Set takes them.
using CommSettings = std::vector<std::pair<std::string, std::string>>;

// A duplicate of MPI's world that gives errors back.
MPI_Comm duplicate_of_world();

// Has the library know the communicator with these settings. Collective. Empty on all ranks if it went well on all,
// otherwise why not.
std::string prepare_comm(MPI_Comm comm, const CommSettings& settings, Peers& peers);

}  // namespace detour::tool
