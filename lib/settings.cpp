#include "settings.hpp"

#include <unistd.h>

#include <algorithm>

#include "detour/routing/nearest_name.hpp"
#include "fingerprint.hpp"
#include "setting_list.hpp"

namespace detour {
namespace {

// Where CMake's find_package looks for us: not ours to judge.
constexpr std::array<std::string_view, 2> foreign_names{"DETOUR_DIR", "DETOUR_ROOT"};

bool is_foreign(std::string_view name) {
  return std::find(foreign_names.begin(), foreign_names.end(), name) != foreign_names.end();
}

// The number of the setting with that name; a failure that tells what was probably meant.
Outcome<std::size_t> find_setting(std::string_view name,
                                  std::string_view SettingEntry::*kind_of_name) {
  std::array<std::string_view, setting_count> names;
  for (std::size_t at = 0; at < setting_count; ++at) {
    names[at] = setting_list()[at].*kind_of_name;
    if (names[at] == name) return at;
  }
  return Failure{"unknown setting " + std::string(name) + "; did you mean " +
                 std::string(nearest_name(name, names)) + "?"};
}

std::optional<Failure> read_one(std::size_t at, std::string_view name, std::string_view value,
                                SettingOrigin origin, Settings& settings) {
  if (const auto problem = setting_list()[at].read(value, settings)) {
    return Failure{std::string(name) + " " + *problem};
  }
  settings.origins[at] = origin;
  return std::nullopt;
}

}  // namespace

Outcome<Settings> read_settings() {
  return read_settings(environ);
}

Outcome<Settings> read_settings(const char* const* environment) {
  Settings settings;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry(*environment);
    if (!entry.starts_with("DETOUR_")) continue;
    const auto equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    const auto variable = entry.substr(0, equals);
    if (is_foreign(variable)) continue;
    const auto found = find_setting(variable, &SettingEntry::variable);
    if (!found.ok()) return found.without_value<Settings>();
    const auto value = entry.substr(equals + 1);
    if (value.empty()) continue;
    if (auto problem =
            read_one(found.value(), variable, value, SettingOrigin::environment, settings)) {
      return *std::move(problem);
    }
  }
  return settings;
}

Outcome<Settings> with_setting(const Settings& settings, std::string_view name,
                               std::string_view value, const Settings& environment) {
  const auto found = find_setting(name, &SettingEntry::name);
  if (!found.ok()) return found.without_value<Settings>();
  const std::size_t at = found.value();
  const SettingEntry& entry = setting_list()[at];
  if (entry.scope == SettingScope::process) {
    return Failure{std::string(name) + " can't be changed for one communicator: it holds for the " +
                   "whole process, set " + std::string(entry.variable) + " instead"};
  }
  Settings changed = settings;
  if (value.empty()) {
    entry.copy(environment, changed);
    changed.origins[at] = environment.origins[at];
    return changed;
  }
  if (auto problem = read_one(at, name, value, SettingOrigin::communicator, changed)) {
    return *std::move(problem);
  }
  if (changed.fault_tolerance && !environment.fault_tolerance) {
    return Failure{std::string(name) +
                   " can't be on for one communicator: DETOUR_FT=off holds for the whole process"};
  }
  return changed;
}

std::uint64_t fingerprint(const Settings& settings) {
  Fingerprint fingerprint;
  for (const SettingEntry& entry : setting_list()) {
    if (entry.name == "log") continue;
    const auto value = entry.write(settings);
    fingerprint.add(entry.name);
    // Unset is not the same as any value.
    fingerprint.add(value ? "=" + *value : std::string());
  }
  return fingerprint.value();
}

}  // namespace detour
