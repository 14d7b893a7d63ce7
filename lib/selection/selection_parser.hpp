// The text of a selection table, line by line.
#pragma once

#include <string_view>
#include <vector>

#include "selection/selection_table.hpp"

namespace detour {

Outcome<std::vector<SelectionLine>> parse_selection_lines(std::string_view text,
                                                          std::string_view source);

}  // namespace detour
