// Ranks of one machine that take themselves for those of several.
#pragma once

#include <string>

namespace detour::test {

// After MPI_Init, which has to know the truth, and before the library is used.
void call_this_host(const std::string& name);

}  // namespace detour::test
