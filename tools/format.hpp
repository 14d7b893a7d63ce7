// Figures and words as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace detour::tool {

std::string fixed(double number, int digit_count);
// A time in M/B: fixed digits, or "1.23e+15" where they would fill the line.
std::string figure(double number, int digit_count);
// "12.3 us", "4.56 ms", "1.20 s", "3.40 hours".
std::string duration(double us);
// "4 MiB" where it is a round number of them, otherwise plain bytes.
std::string size(std::uint64_t bytes);
// "12.3 MiB", up to GiB.
std::string rounded_size(double bytes);
// "1 link", "2 links".
std::string count(std::int64_t number, std::string_view thing);
// Line ends and other control characters as blanks, so that text of others can't break a layout.
std::string one_line(std::string_view text);
// Text in a column of a table, at its right or left end. Longer text than fits is left as it is.
std::string right_aligned(std::string_view text, std::size_t width);
std::string left_aligned(std::string_view text, std::size_t width);

}  // namespace detour::tool
