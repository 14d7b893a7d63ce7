// Where this program and the library to preload are: in a build tree, or installed somewhere.
#pragma once

#include <string>

#include "detour/routing/outcome.hpp"

namespace detour::run {

// Fails if mpirun could not start it: it splits commands at blanks.
Outcome<std::string> own_path();

// libdetour_mpi.so, found from where the program is.
Outcome<std::string> find_preload(const std::string& program_path);
// libdetour_malloc.so, which is in the same folder.
std::string malloc_beside(const std::string& library_path);

}  // namespace detour::run
