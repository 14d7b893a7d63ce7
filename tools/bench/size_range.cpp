#include "bench/size_range.hpp"

#include <charconv>
#include <string>

#include "exit_status.hpp"
#include "machine_arguments.hpp"

namespace detour::tool {
namespace {

std::vector<std::string_view> split_at_colons(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

std::uint64_t parse_factor(std::string_view option, std::string_view text) {
  std::uint64_t factor = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, factor);
  if (error == std::errc() && end == text_end && factor >= 2) return factor;
  throw BadInput(std::string(option) + ": the factor between sizes is a whole number, 2 or more, " +
                 "not '" + std::string(text) + "'");
}

std::vector<std::uint64_t> geometric(std::uint64_t from, std::uint64_t to, std::uint64_t factor) {
  std::vector<std::uint64_t> sizes{from};
  while (sizes.back() <= to / factor) sizes.push_back(sizes.back() * factor);
  return sizes;
}

}  // namespace

std::vector<std::uint64_t> parse_size_range(std::string_view option, std::string_view text) {
  const auto parts = split_at_colons(text);
  if (parts.size() > 3) {
    throw BadInput(std::string(option) + " is SIZE, FROM:TO or FROM:TO:FACTOR, not '" +
                   std::string(text) + "'");
  }
  const std::uint64_t from = parse_bytes(option, parts[0]);
  if (parts.size() == 1) return {from};
  const std::uint64_t to = parse_bytes(option, parts[1]);
  const std::uint64_t factor = parts.size() == 3 ? parse_factor(option, parts[2]) : 2;
  if (from > to) {
    throw BadInput(std::string(option) + " '" + std::string(text) + "' goes from large to small");
  }
  return geometric(from, to, factor);
}

std::vector<std::uint64_t> whole_elements(const std::vector<std::uint64_t>& sizes_bytes,
                                          std::size_t element_bytes) {
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t bytes : sizes_bytes) {
    const std::uint64_t count = bytes / element_bytes + (bytes % element_bytes == 0 ? 0 : 1);
    if (sizes.empty() || sizes.back() != count * element_bytes) {
      sizes.push_back(count * element_bytes);
    }
  }
  return sizes;
}

}  // namespace detour::tool
