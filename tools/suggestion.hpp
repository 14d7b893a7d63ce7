// What somebody who typed a word that is not known may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace detour::tool {

// "; did you mean 'tree'?", or if nothing is near "; there are: auto, tree". A single letter, with
// or without dashes, means the first name that starts with it.
std::string suggestion(std::string_view word, std::span<const std::string_view> names);

}  // namespace detour::tool
