// What somebody who mistyped a name probably meant.
#pragma once

#include <span>
#include <string_view>

#include "detour/routing/api.hpp"

namespace detour {

// The candidate that the fewest slips of the keyboard turn into `name`, the first of equals; empty
// if there is no candidate.
DETOUR_API std::string_view nearest_name(std::string_view name,
                                         std::span<const std::string_view> candidates);

}  // namespace detour
