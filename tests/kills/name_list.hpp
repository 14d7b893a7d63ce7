// Lists of names in one word, commas between, for values of an enumeration.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace detour::kills {

// `kind` is what a name that does not exist is none of.
template <class Value, std::size_t count>
std::vector<Value> parse_names(std::string_view text,
                               const std::array<std::string_view, count>& names, const char* kind) {
  std::vector<Value> values;
  while (!text.empty()) {
    const auto end = text.find(',');
    const auto name = text.substr(0, end);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw std::invalid_argument(std::string("there is no ") + kind + " '" + std::string(name) +
                                  "'");
    }
    values.push_back(static_cast<Value>(found - names.begin()));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return values;
}

template <class Value, std::size_t count>
std::string names_text(const std::vector<Value>& values,
                       const std::array<std::string_view, count>& names) {
  std::string text;
  for (const Value value : values) {
    if (!text.empty()) text += ',';
    text += names[static_cast<std::size_t>(value)];
  }
  return text;
}

}  // namespace detour::kills
