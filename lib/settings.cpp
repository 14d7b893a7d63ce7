#include "settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "detour/routing/nearest_name.hpp"

namespace detour {
namespace {

// Takes a value; a sentence if it makes no sense.
using Reader = std::optional<std::string> (*)(std::string_view value, Settings& settings);

struct Known {
  std::string_view name;
  Reader read;
};

std::optional<std::string> read_policy(std::string_view value, Settings& settings) {
  if (value.empty()) return "needs the name of a policy";
  settings.policy = value;
  return std::nullopt;
}

std::optional<std::string> read_policy_path(std::string_view value, Settings& settings) {
  settings.policy_path = value;
  return std::nullopt;
}

std::optional<std::string> read_bridges(std::string_view value, Settings& settings) {
  const auto is_among = [value](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), value) != words.end();
  };
  settings.bridges = is_among({"on", "1", "true", "yes"});
  if (*settings.bridges || is_among({"off", "0", "false", "no"})) return std::nullopt;
  return "is 'on' or 'off', not '" + std::string(value) + "'";
}

constexpr std::array<Known, 3> known_settings{{
    {"DETOUR_BRIDGES", read_bridges},
    {"DETOUR_POLICY", read_policy},
    {"DETOUR_POLICY_PATH", read_policy_path},
}};

// Where CMake's find_package looks for us: not ours to judge.
constexpr std::array<std::string_view, 2> foreign_names{"DETOUR_DIR", "DETOUR_ROOT"};

bool is_foreign(std::string_view name) {
  return std::find(foreign_names.begin(), foreign_names.end(), name) != foreign_names.end();
}

std::optional<std::string> read_one(std::string_view name, std::string_view value,
                                    Settings& settings) {
  if (is_foreign(name)) return std::nullopt;
  std::array<std::string_view, known_settings.size()> names;
  for (std::size_t at = 0; at < known_settings.size(); ++at) {
    names[at] = known_settings[at].name;
    if (names[at] != name) continue;
    const auto problem = known_settings[at].read(value, settings);
    if (!problem) return std::nullopt;
    return std::string(name) + " " + *problem;
  }
  return "unknown setting " + std::string(name) + "; did you mean " +
         std::string(nearest_name(name, names)) + "?";
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
    if (auto problem = read_one(entry.substr(0, equals), entry.substr(equals + 1), settings)) {
      return Failure{*std::move(problem)};
    }
  }
  return settings;
}

}  // namespace detour
