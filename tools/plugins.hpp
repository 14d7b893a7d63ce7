// Settings and plug-ins, as every subcommand starts with them.
#pragma once

#include <optional>
#include <string>

#include "settings.hpp"

namespace detour::tool {

// Reads the environment and loads the plug-ins of `policy_path`, or if that is not given those of
// the environment. Throws BadInput.
Settings load_settings_and_plugins(const std::optional<std::string>& policy_path);

}  // namespace detour::tool
