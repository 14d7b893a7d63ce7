#include "mesh_arguments.hpp"

#include <charconv>
#include <limits>
#include <optional>

#include "exit_status.hpp"
#include "value_text.hpp"

namespace detour::tool {
namespace {

struct Range {
  std::int64_t first;
  std::int64_t last;
};

// Digits only. A number too large for the type is the largest there is, which no mesh reaches.
std::optional<std::int64_t> parse_number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : std::numeric_limits<std::int64_t>::max();
}

// "4" or "4-7".
std::optional<Range> parse_range(std::string_view text) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) {
    const auto number = parse_number(text);
    if (!number) return std::nullopt;
    return Range{*number, *number};
  }
  const auto first = parse_number(text.substr(0, dash));
  const auto last = parse_number(text.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  return Range{*first, *last};
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

void check_range(Range range, std::int32_t count, const char* what, std::string_view text) {
  if (range.first > range.last) {
    throw BadInput("--fail " + quoted(text) + ": the range of " + what + " runs backwards");
  }
  if (range.last < count) return;
  throw BadInput("--fail " + quoted(text) + " is outside the mesh: its " + what + " are " +
                 (count == 1 ? "0 only" : "0 to " + std::to_string(count - 1)));
}

void fail_block(std::string_view text, const Mesh& mesh, FaultSet& faults) {
  const auto comma = text.find(',');
  const auto rows = parse_range(text.substr(0, comma));
  const auto cols =
      comma == std::string_view::npos ? std::nullopt : parse_range(text.substr(comma + 1));
  if (!rows || !cols) {
    throw BadInput("--fail " + quoted(text) +
                   " is neither a cell like 2,3 nor a block like 4-5,4-7 (rows, then columns)");
  }
  check_range(*rows, mesh.rows(), "rows", text);
  check_range(*cols, mesh.cols(), "columns", text);
  for (auto row = static_cast<std::int32_t>(rows->first); row <= rows->last; ++row) {
    for (auto col = static_cast<std::int32_t>(cols->first); col <= cols->last; ++col) {
      faults.fail(mesh.id({row, col}));
    }
  }
}

}  // namespace

Mesh parse_mesh(std::string_view text) {
  const auto mesh = parse_mesh_text(text);
  if (!mesh.ok()) throw BadInput("--mesh " + mesh.reason());
  return mesh.value();
}

FaultSet parse_faults(const std::vector<std::string>& texts, const Mesh& mesh) {
  FaultSet faults(mesh);
  for (const std::string& text : texts) fail_block(text, mesh, faults);
  return faults;
}

}  // namespace detour::tool
