#include "breadth_first.hpp"

namespace detour {

using Node = LiveGraph::Node;

TreeLinks BreadthFirst::links() const {
  TreeLinks result;
  result.reserve(order.size());
  for (std::size_t at = 1; at < order.size(); ++at) {
    result.push_back(parent[static_cast<std::size_t>(order[at])].link);
  }
  return result;
}

BreadthFirst breadth_first(const LiveGraph& graph, Node start) {
  const auto node_count = static_cast<std::size_t>(graph.node_count());
  BreadthFirst result;
  result.order.reserve(node_count);
  result.parent.assign(node_count, {-1, -1});
  result.distance.assign(node_count, -1);
  result.order.push_back(start);
  result.distance[static_cast<std::size_t>(start)] = 0;
  for (std::size_t next = 0; next < result.order.size(); ++next) {
    const Node node = result.order[next];
    for (const auto& edge : graph.edges(node)) {
      auto& distance = result.distance[static_cast<std::size_t>(edge.to)];
      if (distance >= 0) continue;
      distance = result.distance[static_cast<std::size_t>(node)] + 1;
      result.parent[static_cast<std::size_t>(edge.to)] = {node, edge.link};
      result.order.push_back(edge.to);
    }
  }
  return result;
}

Node middle(const LiveGraph& graph) {
  const auto across = breadth_first(graph, breadth_first(graph, 0).furthest());
  Node node = across.furthest();
  for (std::int32_t step = 0; step < across.height() / 2; ++step) {
    node = across.parent[static_cast<std::size_t>(node)].to;
  }
  // Each move lowers the height, so this ends after at most `height` moves.
  std::int32_t height = breadth_first(graph, node).height();
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& edge : graph.edges(node)) {
      const std::int32_t candidate = breadth_first(graph, edge.to).height();
      if (candidate >= height) continue;
      height = candidate;
      node = edge.to;
      moved = true;
      break;
    }
  }
  return node;
}

}  // namespace detour
