// Routing policies from shared objects of the users'.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "detour/routing/api.hpp"
#include "detour/routing/outcome.hpp"
#include "detour/routing/registry.hpp"

namespace detour {

// Loads the plug-ins of a colon-separated list of files and folders (of a folder: every *.so,
// sorted by name) and registers their policies. Gives the names of the new policies, in the order
// of loading; or fails with one line that names the file. Plug-ins stay loaded for good: the
// registry holds objects whose code is in them.
DETOUR_API Outcome<std::vector<std::string>> load_policies(
    std::string_view path_list, PolicyRegistry& registry = PolicyRegistry::instance());

}  // namespace detour
