#include "value_text.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace detour {
namespace {

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// How far to shift for a suffix; nothing if there is no such suffix.
std::optional<unsigned> shift_of(std::string_view suffix) {
  if (suffix.empty() || suffix == "B") return 0;
  constexpr std::string_view letters = "KMGTkmgt";
  const auto at = letters.find(suffix.front());
  if (at == std::string_view::npos) return std::nullopt;
  const auto unit = suffix.substr(1);
  if (!unit.empty() && unit != "B" && unit != "i" && unit != "iB") return std::nullopt;
  return 10 * (static_cast<unsigned>(at % 4) + 1);
}

// Digits only. A number too large for the type is the largest there is, which is out of every range.
std::optional<std::uint64_t> parse_number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

Outcome<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t number = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, number);
  const auto shift = shift_of({end, static_cast<std::size_t>(text_end - end)});
  if (end == text.data() || !shift) {
    return Failure{quoted(text) + " is no size: write a number of bytes, or 64K, 4M, 1G"};
  }
  if (error != std::errc() || number > (std::numeric_limits<std::uint64_t>::max() >> *shift)) {
    return Failure{quoted(text) + " is too large"};
  }
  if (number == 0) return Failure{"has to be more than zero"};
  return number << *shift;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> suffixes{"", "K", "M", "G", "T"};
  std::size_t suffix = 0;
  while (suffix + 1 < suffixes.size() && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++suffix;
  }
  return std::to_string(bytes) + suffixes[suffix];
}

Outcome<Mesh> parse_mesh_text(std::string_view text) {
  const auto cross = text.find('x');
  const auto rows = parse_number(text.substr(0, cross));
  const auto cols =
      cross == std::string_view::npos ? std::nullopt : parse_number(text.substr(cross + 1));
  if (!rows || !cols) {
    return Failure{quoted(text) + " is no mesh: write ROWSxCOLS, for example 8x8"};
  }
  if (*rows == 0 || *cols == 0) {
    return Failure{quoted(text) + " has no cells: rows and columns can't be zero"};
  }
  if (*rows > Mesh::cell_count_max / *cols) {
    return Failure{quoted(text) + " is too large: " + std::to_string(Mesh::cell_count_max) +
                   " cells at most"};
  }
  return Mesh(static_cast<std::int32_t>(*rows), static_cast<std::int32_t>(*cols));
}

std::string mesh_text(const Mesh& mesh) {
  return std::to_string(mesh.rows()) + "x" + std::to_string(mesh.cols());
}

Outcome<std::uint64_t> parse_count(std::string_view text, std::uint64_t most) {
  const auto number = parse_number(text);
  if (!number) return Failure{"has to be a whole number, not " + quoted(text)};
  if (*number > most) {
    return Failure{quoted(text) + " is too large: " + std::to_string(most) + " at most"};
  }
  return *number;
}

}  // namespace detour
