// The settings that users make in the environment. Nothing else reads DETOUR_ variables.
#pragma once

#include <optional>
#include <string>

#include "detour/routing/api.hpp"
#include "detour/routing/outcome.hpp"

namespace detour {

struct Settings {
  std::optional<std::string> policy;       // DETOUR_POLICY: a name
  std::optional<std::string> policy_path;  // DETOUR_POLICY_PATH: see policy_loader.hpp
  std::optional<bool> bridges;             // DETOUR_BRIDGES: on or off, or 1, 0, ...
};

// Fails with one line for a DETOUR_ variable that does not exist, naming the one that was probably
// meant, and for a value that makes no sense. DETOUR_ROOT and DETOUR_DIR are CMake's, and ignored.
DETOUR_API Outcome<Settings> read_settings();

// The same from an environment of the caller's, a list of "NAME=value" that ends in a nullptr.
DETOUR_API Outcome<Settings> read_settings(const char* const* environment);

}  // namespace detour
