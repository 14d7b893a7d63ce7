#include "cover_augment.hpp"

#include <algorithm>
#include <vector>

namespace detour {
namespace {

using Node = LiveGraph::Node;
constexpr Node none = -1;

// Breadth-first along paths that start with a link to be added: cells at odd steps would have one
// too many and give up a link, those at even steps are one short again. Returns the path from the
// last cell back to `start`; empty if no `wanted` cell can be reached.
template <class Wanted>
std::vector<Node> alternating_path(const LiveGraph& graph, const CycleCover& cover, Node start,
                                   const Wanted& wanted) {
  std::vector<Node> before(static_cast<std::size_t>(graph.node_count()), none);
  const auto reach = [&before](Node node, Node from) {
    auto& its = before[static_cast<std::size_t>(node)];
    if (its != none) return false;
    its = from;
    return true;
  };
  std::vector<Node> queue{start};
  reach(start, start);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const Node node = queue[next];
    for (const auto& edge : graph.edges(node)) {
      const Node to = edge.to;
      if (cover.linked(node, to) || !reach(to, node)) continue;
      if (wanted(to)) {
        std::vector<Node> path{to};
        while (path.back() != start) path.push_back(before[static_cast<std::size_t>(path.back())]);
        return path;
      }
      for (const Node loser : cover.neighbours(to)) {
        if (loser != none && reach(loser, to)) queue.push_back(loser);
      }
    }
  }
  return {};
}

void exchange(CycleCover& cover, const std::vector<Node>& path) {
  // Taking away first: a cell never has more than two links.
  for (std::size_t at = 1; at + 1 < path.size(); at += 2) cover.unlink(path[at], path[at + 1]);
  for (std::size_t at = 0; at + 1 < path.size(); at += 2) cover.link(path[at], path[at + 1]);
}

}  // namespace

std::optional<CycleCover> augmented(const LiveGraph& graph, const CycleCover& cover, Node cell) {
  const auto first =
      alternating_path(graph, cover, cell, [&](Node node) { return !cover.covers(node); });
  if (first.empty()) return std::nullopt;
  CycleCover result = cover;
  exchange(result, first);
  const Node other = first.front();
  const auto second =
      alternating_path(graph, result, cell, [other](Node node) { return node == other; });
  if (second.empty()) return std::nullopt;
  exchange(result, second);
  return result;
}

}  // namespace detour
