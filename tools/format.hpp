// Figures as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace detour::tool {

std::string fixed(double number, int digit_count);
// "12.3 us", "4.56 ms", "1.20 s".
std::string duration(double us);
// "4 MiB" where it is a round number of them, otherwise plain bytes.
std::string size(std::uint64_t bytes);

}  // namespace detour::tool
