#include "plugins.hpp"

#include "exit_status.hpp"
#include "policy_loader.hpp"

namespace detour::tool {

Settings load_settings_and_plugins(const std::optional<std::string>& policy_path) {
  auto read = read_settings();
  if (!read.ok()) throw BadInput(read.reason());
  Settings settings = std::move(read).value();
  if (policy_path) settings.policy_path = policy_path;
  if (settings.policy_path) {
    const auto loaded = load_policies(*settings.policy_path);
    if (!loaded.ok()) throw BadInput(loaded.reason());
  }
  return settings;
}

}  // namespace detour::tool
