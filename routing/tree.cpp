#include "detour/routing/tree.hpp"

#include <algorithm>
#include <stdexcept>

namespace detour {
namespace {

using Node = LiveGraph::Node;

// The tree alone, as adjacency: two passes over its links instead of a search over all of the
// graph.
class TreeAdjacency {
 public:
  TreeAdjacency(const LiveGraph& graph, const TreeLinks& tree)
      : first_(static_cast<std::size_t>(graph.node_count()) + 1), neighbours_(2 * tree.size()) {
    for (const auto id : tree) {
      ++first_[static_cast<std::size_t>(graph.link(id).a) + 1];
      ++first_[static_cast<std::size_t>(graph.link(id).b) + 1];
    }
    for (std::size_t node = 1; node < first_.size(); ++node) first_[node] += first_[node - 1];
    auto place = first_;
    for (const auto id : tree) {
      const auto [a, b] = graph.link(id);
      neighbours_[place[static_cast<std::size_t>(a)]++] = b;
      neighbours_[place[static_cast<std::size_t>(b)]++] = a;
    }
  }

  std::span<const Node> neighbours(Node node) const {
    const auto at = static_cast<std::size_t>(node);
    return {neighbours_.data() + first_[at], neighbours_.data() + first_[at + 1]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Node> neighbours_;
};

// Breadth-first from one node: the order of the visit and each node's parent.
struct Traversal {
  std::vector<Node> order;
  std::vector<Node> parent;
};

Traversal traverse(const TreeAdjacency& tree, Node node_count, Node start) {
  Traversal result;
  result.order.reserve(static_cast<std::size_t>(node_count));
  result.parent.assign(static_cast<std::size_t>(node_count), -1);
  result.order.push_back(start);
  for (std::size_t next = 0; next < result.order.size(); ++next) {
    const Node node = result.order[next];
    bool parent_passed = node == start;
    for (const Node neighbour : tree.neighbours(node)) {
      if (!parent_passed && neighbour == result.parent[static_cast<std::size_t>(node)]) {
        parent_passed = true;
        continue;
      }
      if (neighbour == start || result.parent[static_cast<std::size_t>(neighbour)] != -1) {
        throw std::invalid_argument("the links form a cycle");
      }
      result.parent[static_cast<std::size_t>(neighbour)] = node;
      result.order.push_back(neighbour);
    }
  }
  return result;
}

void require_tree_size(const LiveGraph& graph, const TreeLinks& tree) {
  if (static_cast<Node>(tree.size()) + 1 != graph.node_count()) {
    throw std::invalid_argument("a tree over " + std::to_string(graph.node_count()) +
                                " cells can't have " + std::to_string(tree.size()) + " links");
  }
}

// The last node of a breadth-first visit is a furthest one. From any node, twice: the ends of a
// longest path; halfway along it lies the centre.
Node centre(const TreeAdjacency& tree, Node node_count) {
  const Node end = traverse(tree, node_count, 0).order.back();
  const Traversal from_end = traverse(tree, node_count, end);
  std::vector<Node> path;
  for (Node node = from_end.order.back(); node != -1;
       node = from_end.parent[static_cast<std::size_t>(node)]) {
    path.push_back(node);
  }
  return path[path.size() / 2];
}

Flow directed_flow(const LiveGraph& graph, const TreeAdjacency& tree, Share share, Node root) {
  const Traversal visit = traverse(tree, graph.node_count(), root);
  if (static_cast<Node>(visit.order.size()) != graph.node_count()) {
    throw std::invalid_argument("the links don't reach every cell");
  }
  Flow flow;
  flow.share = share;
  flow.root = graph.cell(root);
  flow.reduce.reserve(visit.order.size() - 1);
  flow.broadcast.reserve(visit.order.size() - 1);
  for (std::size_t at = 1; at < visit.order.size(); ++at) {
    const Node node = visit.order[at];
    const Node parent = visit.parent[static_cast<std::size_t>(node)];
    flow.broadcast.push_back({graph.cell(parent), graph.cell(node)});
  }
  for (auto hop = flow.broadcast.rbegin(); hop != flow.broadcast.rend(); ++hop) {
    flow.reduce.push_back({hop->to, hop->from});
  }
  return flow;
}

}  // namespace

Flow centred_flow(const LiveGraph& graph, const TreeLinks& tree, Share share) {
  require_tree_size(graph, tree);
  const TreeAdjacency adjacency(graph, tree);
  return directed_flow(graph, adjacency, share, centre(adjacency, graph.node_count()));
}

Flow rooted_flow(const LiveGraph& graph, const TreeLinks& tree, Share share, CellId root) {
  require_tree_size(graph, tree);
  const Node node = root >= 0 && root < graph.cell_count() ? graph.node(root) : -1;
  if (node < 0) throw std::invalid_argument("the root is no live cell");
  return directed_flow(graph, TreeAdjacency(graph, tree), share, node);
}

}  // namespace detour
