#include "mesh_arguments.hpp"

#include <charconv>
#include <optional>
#include <stdexcept>

#include "exit_status.hpp"

namespace detour::tool {
namespace {

struct Range {
  std::int32_t first;
  std::int32_t last;
};

std::optional<std::int32_t> parse_number(std::string_view text) {
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.starts_with('-')) {
    return std::nullopt;
  }
  return number;
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

void check_order(Range range, std::string_view text) {
  if (range.first <= range.last) return;
  throw BadInput("--fail " + quoted(text) + ": the range " + std::to_string(range.first) + "-" +
                 std::to_string(range.last) + " runs backwards");
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
  check_order(*rows, text);
  check_order(*cols, text);
  const Cell last{rows->last, cols->last};
  if (!mesh.contains(last)) {
    throw BadInput("--fail " + quoted(text) + ": cell " + to_string(last) + " is outside the " +
                   std::to_string(mesh.rows()) + "x" + std::to_string(mesh.cols()) +
                   " mesh, whose rows and columns count from 0");
  }
  for (std::int32_t row = rows->first; row <= rows->last; ++row) {
    for (std::int32_t col = cols->first; col <= cols->last; ++col) faults.fail(mesh.id({row, col}));
  }
}

}  // namespace

Mesh parse_mesh(std::string_view text) {
  const auto cross = text.find('x');
  const auto rows = parse_number(text.substr(0, cross));
  const auto cols =
      cross == std::string_view::npos ? std::nullopt : parse_number(text.substr(cross + 1));
  if (!rows || !cols || *rows < 1 || *cols < 1) {
    throw BadInput("--mesh " + quoted(text) + " is no mesh: write ROWSxCOLS, for example 8x8");
  }
  try {
    return Mesh(*rows, *cols);
  } catch (const std::invalid_argument& error) {
    throw BadInput("--mesh " + quoted(text) + ": " + error.what());
  }
}

FaultSet parse_faults(const std::vector<std::string>& texts, const Mesh& mesh) {
  FaultSet faults(mesh);
  for (const std::string& text : texts) fail_block(text, mesh, faults);
  return faults;
}

}  // namespace detour::tool
