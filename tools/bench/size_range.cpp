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

[[noreturn]] void complain_of_form(std::string_view option, std::string_view text,
                                   std::string_view form) {
  throw BadInput(std::string(option) + " is " + std::string(form) + ", not '" + std::string(text) +
                 "'");
}

// The first two parts, or the first if there is no other.
SizeBounds parse_bounds(std::string_view option, std::string_view text,
                        const std::vector<std::string_view>& parts) {
  SizeBounds bounds;
  bounds.from_bytes = parse_bytes(option, parts[0]);
  bounds.to_bytes = parts.size() == 1 ? bounds.from_bytes : parse_bytes(option, parts[1]);
  if (bounds.from_bytes > bounds.to_bytes) {
    throw BadInput(std::string(option) + " '" + std::string(text) + "' goes from large to small");
  }
  return bounds;
}

std::vector<std::uint64_t> geometric(std::uint64_t from, std::uint64_t to, std::uint64_t factor) {
  std::vector<std::uint64_t> sizes{from};
  while (sizes.back() <= to / factor) sizes.push_back(sizes.back() * factor);
  return sizes;
}

}  // namespace

std::vector<std::uint64_t> parse_size_range(std::string_view option, std::string_view text) {
  const auto parts = split_at_colons(text);
  if (parts.size() > 3) complain_of_form(option, text, "SIZE, FROM:TO or FROM:TO:FACTOR");
  const SizeBounds bounds = parse_bounds(option, text, parts);
  const std::uint64_t factor = parts.size() == 3 ? parse_factor(option, parts[2]) : 2;
  return geometric(bounds.from_bytes, bounds.to_bytes, factor);
}

SizeBounds parse_size_bounds(std::string_view option, std::string_view text) {
  const auto parts = split_at_colons(text);
  if (parts.size() > 2) complain_of_form(option, text, "SIZE or FROM:TO");
  return parse_bounds(option, text, parts);
}

std::uint64_t rounded_to_elements(std::uint64_t bytes, std::size_t element_bytes) {
  return (bytes / element_bytes + (bytes % element_bytes == 0 ? 0 : 1)) * element_bytes;
}

std::vector<std::uint64_t> whole_elements(const std::vector<std::uint64_t>& sizes_bytes,
                                          std::size_t element_bytes) {
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t bytes : sizes_bytes) {
    const std::uint64_t whole_bytes = rounded_to_elements(bytes, element_bytes);
    if (sizes.empty() || sizes.back() != whole_bytes) sizes.push_back(whole_bytes);
  }
  return sizes;
}

}  // namespace detour::tool
