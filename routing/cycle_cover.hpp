// Disjoint cycles over the nodes of a LiveGraph, kept as links so that they can be cut and joined.
#pragma once

#include <array>
#include <vector>

#include "detour/routing/live_graph.hpp"

namespace detour {

class CycleCover {
 public:
  using Node = LiveGraph::Node;

  explicit CycleCover(Node node_count)
      : neighbours_(static_cast<std::size_t>(node_count), {none, none}) {}

  bool covers(Node node) const { return at(node)[0] != none; }
  bool linked(Node a, Node b) const { return at(a)[0] == b || at(a)[1] == b; }
  // The two cells next to this one on its cycle, in no particular order.
  const std::array<Node, 2>& neighbours(Node node) const { return at(node); }

  void link(Node a, Node b) {
    set(a, none, b);
    set(b, none, a);
  }
  void unlink(Node a, Node b) {
    set(a, b, none);
    set(b, a, none);
  }
  void add_cycle(const std::vector<Node>& order) {
    for (std::size_t i = 0; i < order.size(); ++i) link(order[i], order[(i + 1) % order.size()]);
  }

  // Once round, from `start` on.
  std::vector<Node> cycle_of(Node start) const {
    std::vector<Node> order{start};
    for (Node before = start, node = at(start)[0]; node != start;) {
      order.push_back(node);
      const Node after = at(node)[0] == before ? at(node)[1] : at(node)[0];
      before = node;
      node = after;
    }
    return order;
  }

  // The first of the longest cycles; empty if there is none.
  std::vector<Node> longest_cycle() const {
    std::vector<Node> longest;
    std::vector<bool> seen(neighbours_.size());
    for (Node node = 0; node < static_cast<Node>(neighbours_.size()); ++node) {
      if (!covers(node) || seen[static_cast<std::size_t>(node)]) continue;
      auto order = cycle_of(node);
      for (const Node member : order) seen[static_cast<std::size_t>(member)] = true;
      if (order.size() > longest.size()) longest = std::move(order);
    }
    return longest;
  }

 private:
  static constexpr Node none = -1;

  const std::array<Node, 2>& at(Node node) const {
    return neighbours_[static_cast<std::size_t>(node)];
  }
  // Keeps a lone neighbour in front, so that covers() needs one look.
  void set(Node node, Node from, Node to) {
    auto& pair = neighbours_[static_cast<std::size_t>(node)];
    (pair[0] == from ? pair[0] : pair[1]) = to;
    if (pair[0] == none) std::swap(pair[0], pair[1]);
  }

  std::vector<std::array<Node, 2>> neighbours_;
};

}  // namespace detour
