// Comparisons as JSON, which jobs write and the report reads.
#pragma once

#include <string>
#include <string_view>

#include "compare/comparison.hpp"

namespace detour::tool {

std::string to_json(const Comparison& comparison);
// `name` is for complaints. Throws BadInput.
Comparison comparison_from_json(std::string_view name, const std::string& text);

}  // namespace detour::tool
