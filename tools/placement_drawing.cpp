#include "placement_drawing.hpp"

#include <algorithm>
#include <array>

#include "format.hpp"

namespace detour::tool {
namespace {

// Rank, host, cores.
constexpr std::size_t line_count = 3;
using CellText = std::array<std::string, line_count>;

// Where a cell holds many ranks its lists are cut.
constexpr std::size_t text_width_max = 24;

std::string cut(std::string text) {
  if (text.size() <= text_width_max) return text;
  text.resize(text_width_max - 3);
  return text + "...";
}

const RankReport& report_of(Rank rank, const std::vector<RankReport>& reports) {
  return reports[static_cast<std::size_t>(rank)];
}

bool is_bound(const RankReport& report) {
  return report.core_count < report.machine_core_count;
}

// The cores of all ranks of a cell together.
std::string cores_of(const std::vector<Rank>& ranks, const std::vector<RankReport>& reports) {
  if (ranks.size() == 1) return cores_text(report_of(ranks.front(), reports));
  std::vector<std::int32_t> first_cores;
  bool one_core_each = true;
  for (const Rank rank : ranks) {
    const RankReport& report = report_of(rank, reports);
    if (!is_bound(report)) return cores_text(report);
    first_cores.push_back(report.location.core);
    one_core_each = one_core_each && report.core_count == 1;
  }
  return (one_core_each ? "cores " : "cores from ") + ranges(std::move(first_cores));
}

CellText text_of(const std::vector<Rank>& ranks, const std::vector<RankReport>& reports) {
  if (ranks.empty()) return {"hole", "", ""};
  return {cut((ranks.size() == 1 ? "rank " : "ranks ") + ranges(ranks)),
          cut(one_line(report_of(ranks.front(), reports).host_name.data())),
          cut(cores_of(ranks, reports))};
}

// Some columns of the mesh, in boxes.
class Piece {
 public:
  Piece(const Mesh& mesh, const std::vector<CellText>& texts, std::size_t text_width,
        std::int32_t first_col, std::int32_t end_col)
      : mesh_(mesh),
        texts_(texts),
        text_width_(text_width),
        first_col_(first_col),
        end_col_(end_col) {}

  std::string draw() const {
    std::string text = rule();
    for (std::int32_t row = 0; row < mesh_.rows(); ++row) text += draw_row(row) + rule();
    return text;
  }

 private:
  std::string rule() const {
    std::string text = "+";
    for (std::int32_t col = first_col_; col < end_col_; ++col) {
      text += std::string(text_width_ + 2, '-') + "+";
    }
    return text + "\n";
  }

  std::string draw_row(std::int32_t row) const {
    std::string text;
    for (std::size_t line = 0; line < line_count; ++line) {
      text += "|";
      for (std::int32_t col = first_col_; col < end_col_; ++col) {
        std::string part = texts_[static_cast<std::size_t>(mesh_.id({row, col}))][line];
        part.resize(text_width_, ' ');
        text += " " + part + " |";
      }
      text += "\n";
    }
    return text;
  }

  const Mesh& mesh_;
  const std::vector<CellText>& texts_;
  std::size_t text_width_;
  std::int32_t first_col_;
  std::int32_t end_col_;
};

}  // namespace

std::string ranges(std::vector<std::int32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ",";
    text += std::to_string(numbers[first]);
    if (last > first) text += (last == first + 1 ? "," : "-") + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

std::string cores_text(const RankReport& report) {
  if (!is_bound(report)) return "any core";
  const std::int32_t first = report.location.core;
  if (report.core_count == 1) return "core " + std::to_string(first);
  return std::to_string(report.core_count) + " cores from " + std::to_string(first);
}

std::string draw_placement(const Placement& placement, const std::vector<RankReport>& reports,
                           std::size_t width) {
  const Mesh& mesh = placement.mesh;
  std::vector<CellText> texts;
  std::size_t text_width = 0;
  for (CellId cell = 0; cell < mesh.cell_count(); ++cell) {
    texts.push_back(text_of(placement.cells.ranks(cell), reports));
    for (const std::string& line : texts.back()) text_width = std::max(text_width, line.size());
  }
  const auto fitting_count =
      static_cast<std::int32_t>((std::max<std::size_t>(width, 1) - 1) / (text_width + 3));
  const std::int32_t col_count = std::clamp(fitting_count, 1, mesh.cols());
  std::string drawing;
  for (std::int32_t col = 0; col < mesh.cols(); col += col_count) {
    const std::int32_t end_col = std::min(col + col_count, mesh.cols());
    if (col_count < mesh.cols()) {
      drawing += "columns " + std::to_string(col) + " to " + std::to_string(end_col - 1) + ":\n";
    }
    drawing += Piece(mesh, texts, text_width, col, end_col).draw();
  }
  return drawing;
}

}  // namespace detour::tool
