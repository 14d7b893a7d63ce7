#include "detour/routing/nearest_name.hpp"

#include <algorithm>
#include <vector>

namespace detour {
namespace {

// What it takes to turn one word into the other by changing, adding and dropping letters. A letter
// too many or too few is a likelier slip than a wrong one, so it weighs less.
std::size_t edit_cost(std::string_view a, std::string_view b) {
  constexpr std::size_t slip = 2;
  constexpr std::size_t wrong_letter = 3;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j * slip;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = (i + 1) * slip;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : wrong_letter);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + slip, row[j + 1] + slip});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  const auto nearest = std::min_element(candidates.begin(), candidates.end(),
                                        [name](std::string_view a, std::string_view b) {
                                          return edit_cost(a, name) < edit_cost(b, name);
                                        });
  return nearest == candidates.end() ? std::string_view() : *nearest;
}

}  // namespace detour
