// Ends the program with words if a combination takes for ever, which ctest could not put a name to.
#pragma once

#include <string>

namespace detour::parity {

// From now on there are so many seconds for what the text describes; 0 for as long as it takes.
void expect_end_of(const std::string& text, unsigned patience_seconds);

}  // namespace detour::parity
