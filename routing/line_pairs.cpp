#include "line_pairs.hpp"

#include <utility>

namespace detour {
namespace {

using Node = LiveGraph::Node;

LiveGraph::LinkId link_between(const LiveGraph& graph, Node a, Node b) {
  for (const auto& edge : graph.edges(a)) {
    if (edge.to == b) return edge.link;
  }
  return -1;
}

}  // namespace

LinePairs::LinePairs(const Topology& topology, const LiveGraph& graph, bool of_columns)
    : mesh_(topology.mesh()),
      graph_(graph),
      of_columns_(of_columns),
      length_(of_columns ? mesh_.rows() : mesh_.cols()) {
  const std::int32_t line_count = of_columns ? mesh_.cols() : mesh_.rows();
  pair_of_line_.assign(static_cast<std::size_t>(line_count), -1);
  if (length_ < 2) return;  // no cycle
  for (std::int32_t line = 0; line + 1 < line_count; ++line) {
    if (whole(line) && whole(line + 1)) add_pair(line++);
  }
}

std::optional<LinePairs> LinePairs::best(const Topology& topology, const LiveGraph& graph) {
  LinePairs rows(topology, graph, false);
  LinePairs columns(topology, graph, true);
  const auto paired_cells = [](const LinePairs& lines) {
    return 2 * lines.length_ * static_cast<std::int32_t>(lines.pairs_.size());
  };
  const std::int32_t in_rows = paired_cells(rows);
  const std::int32_t in_columns = paired_cells(columns);
  if (in_rows == 0 && in_columns == 0) return std::nullopt;
  if (in_rows != in_columns) return in_rows > in_columns ? std::move(rows) : std::move(columns);
  return rows.length_ <= columns.length_ ? std::move(rows) : std::move(columns);
}

std::int32_t LinePairs::line_of(Node node) const {
  const Cell cell = mesh_.cell(graph_.cell(node));
  return of_columns_ ? cell.col : cell.row;
}

std::int32_t LinePairs::position_of(Node node) const {
  const Cell cell = mesh_.cell(graph_.cell(node));
  return of_columns_ ? cell.row : cell.col;
}

Node LinePairs::node_at(std::int32_t line, std::int32_t position) const {
  return graph_.node(mesh_.id(of_columns_ ? Cell{position, line} : Cell{line, position}));
}

bool LinePairs::whole(std::int32_t line) const {
  for (std::int32_t position = 0; position < length_; ++position) {
    if (node_at(line, position) < 0) return false;
  }
  return true;
}

void LinePairs::add_pair(std::int32_t first_line) {
  Pair pair{first_line, {}, {}, {}};
  for (std::int32_t at = 0; at < length_; ++at) {
    const Node first = node_at(first_line, at);
    const Node second = node_at(first_line + 1, at);
    pair.rungs.push_back(link_between(graph_, first, second));
    if (at + 1 == length_) break;
    pair.along_first.push_back(link_between(graph_, first, node_at(first_line, at + 1)));
    pair.along_second.push_back(link_between(graph_, second, node_at(first_line + 1, at + 1)));
  }
  for (const std::int32_t line : {first_line, first_line + 1}) {
    pair_of_line_[static_cast<std::size_t>(line)] = static_cast<std::int32_t>(pairs_.size());
  }
  pairs_.push_back(std::move(pair));
}

}  // namespace detour
