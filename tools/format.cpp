#include "format.hpp"

#include <cstdio>
#include <iterator>

namespace detour::tool {

std::string fixed(double number, int digit_count) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digit_count, number);
  return text;
}

std::string duration(double us) {
  if (us < 1e3) return fixed(us, 1) + " us";
  if (us < 1e6) return fixed(us / 1e3, 2) + " ms";
  return fixed(us / 1e6, 2) + " s";
}

std::string size(std::uint64_t bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < std::size(units) && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + " " + units[unit];
}

}  // namespace detour::tool
