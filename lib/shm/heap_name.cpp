#include "shm/heap_name.hpp"

#include <charconv>

namespace detour {
namespace {

constexpr std::string_view prefix = "detour-";

// Takes a number and the separator after it off the front of the text.
template <class Number>
bool take(std::string_view& text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty()) text.remove_prefix(1);
  return true;
}

}  // namespace

std::string HeapName::text() const {
  char digits[17];
  const auto end = std::to_chars(digits, digits + sizeof digits, random, 16).ptr;
  return std::string(prefix) + std::to_string(user) + "-" + std::to_string(owner) + "-" +
         std::string(digits, end);
}

std::optional<HeapName> parse_heap_name(std::string_view text) {
  if (!text.starts_with(prefix)) return std::nullopt;
  std::string_view rest = text.substr(prefix.size());
  HeapName name;
  const bool complete =
      take(rest, name.user, 10) && take(rest, name.owner, 10) && take(rest, name.random, 16);
  if (!complete || name.owner <= 0 || name.text() != text) return std::nullopt;
  return name;
}

}  // namespace detour
