// Runs one rank's program and tells the launcher how it ends. This is what mpirun starts in the
// program's place, on every node.
#pragma once

#include <string>
#include <vector>

namespace detour::run {

// The exit status for mpirun: 0 once the program has run, however that went. Open MPI 5 hangs on
// others, and 4.1 does not care; the launcher knows better.
int supervise(const std::vector<std::string>& command);

}  // namespace detour::run
