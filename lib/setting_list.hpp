// One line for each setting: what it is called, what it means, how it is read and written. To add a
// setting, add a member to Settings and a line here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "detour/routing/api.hpp"
#include "settings.hpp"

namespace detour {

enum class SettingScope : std::uint8_t { process, communicator };

struct SettingEntry {
  std::string_view name;          // as Detour_Set takes it
  std::string_view variable;      // in the environment
  std::string_view default_text;  // what holds if nobody says anything, in words or as a value
  std::string_view meaning;       // one line
  SettingScope scope;             // whether it can be changed for one communicator

  // Takes a value; a sentence that goes on after the name if it makes no sense.
  std::optional<std::string> (*read)(std::string_view value, Settings& settings);
  // The value that holds, as `read` would take it; nothing if it is unset.
  std::optional<std::string> (*write)(const Settings& settings);
  void (*copy)(const Settings& from, Settings& to);
};

// Sorted by name.
DETOUR_API std::span<const SettingEntry, setting_count> setting_list();

DETOUR_API std::string_view name(SettingOrigin origin);

}  // namespace detour
