#include "format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace detour::tool {
namespace {

struct TimeUnit {
  double us;
  double us_max;  // above it the next unit reads better
  int digit_count;
  std::string_view name;
};

constexpr double second_us = 1e6;
constexpr double hour_us = 3600 * second_us;
constexpr double year_us = 365.25 * 24 * hour_us;
constexpr std::array<TimeUnit, 7> time_units{{
    {1, 1e3, 1, "us"},
    {1e3, second_us, 2, "ms"},
    {second_us, 120 * second_us, 2, "s"},
    {60 * second_us, 2 * hour_us, 1, "minutes"},
    {hour_us, 48 * hour_us, 1, "hours"},
    {24 * hour_us, year_us, 1, "days"},
    {year_us, 1e4 * year_us, 1, "years"},
}};

std::string scientific(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
}

}  // namespace

std::string fixed(double number, int digit_count) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digit_count, number);
  return text;
}

std::string figure(double number, int digit_count) {
  return std::abs(number) < 1e5 ? fixed(number, digit_count) : scientific(number);
}

std::string duration(double us) {
  if (!std::isfinite(us)) return "over 1e290 years";
  if (us > 0 && us < 0.1) return scientific(us) + " us";
  for (const TimeUnit& unit : time_units) {
    if (us < unit.us_max)
      return fixed(us / unit.us, unit.digit_count) + " " + std::string(unit.name);
  }
  return scientific(us / year_us) + " years";
}

std::string size(std::uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < std::size(units) && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + " " + units[unit];
}

std::string rounded_size(double bytes) {
  const char* const units[] = {"KiB", "MiB", "GiB"};
  if (bytes < 1024) return fixed(bytes, 0) + " bytes";
  std::size_t unit = 0;
  for (bytes /= 1024; unit + 1 < std::size(units) && bytes >= 1024; ++unit) bytes /= 1024;
  return fixed(bytes, 1) + " " + units[unit];
}

std::string count(std::int64_t number, std::string_view thing) {
  return std::to_string(number) + " " + std::string(thing) + (number == 1 ? "" : "s");
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    const bool control = code < ' ' || code == 0x7f;
    if (!control) {
      line += letter;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

std::string right_aligned(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + std::string(text);
}

std::string left_aligned(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
}

}  // namespace detour::tool
