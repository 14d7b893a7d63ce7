#include "suggestion.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "detour/routing/nearest_name.hpp"

namespace detour::tool {
namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return result;
}

// Dashes are no sign of what was meant.
std::string_view without_dashes(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

// How many letters have to be changed, added or dropped.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// Empty if nothing is near.
std::string_view near_name(const std::string& word, std::span<const std::string_view> names) {
  const std::string_view core = without_dashes(word);
  if (core.size() == 1) {
    const auto same_start = [core](std::string_view name) {
      return without_dashes(name).starts_with(core);
    };
    const auto found = std::find_if(names.begin(), names.end(), same_start);
    return found == names.end() ? std::string_view() : *found;
  }
  const std::string_view nearest = nearest_name(word, names);
  const bool near = 2 * distance(core, without_dashes(nearest)) <= core.size();
  return near && !core.empty() ? nearest : std::string_view();
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string_view> names) {
  if (const auto name = near_name(lower_case(word), names); !name.empty()) {
    return "; did you mean '" + std::string(name) + "'?";
  }
  std::string list;
  for (const std::string_view name : names) {
    list += list.empty() ? "; there are: " : ", ";
    list += name;
  }
  return list;
}

}  // namespace detour::tool
