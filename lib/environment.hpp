// Whether the library can work with what its environment says.
#pragma once

#include <optional>
#include <string>

#include "detour/routing/api.hpp"

namespace detour {

// While MPI runs: one line about the first setting, plug-in or table that makes no sense; nothing if all is well.
DETOUR_API std::optional<std::string> environment_problem();

}  // namespace detour
