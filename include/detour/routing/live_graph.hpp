// The live cells as a compact graph: nodes 0..n-1, undirected links, adjacency by node.
//
// Policies that work on any graph (tree packing, leaves of a ring) use this instead of the mesh. It
// holds the live mesh links and the joins between parts, so a mesh that fell apart needs no special
// case. On a complete topology it still holds mesh links only: a policy that wants all pairs
// enumerates them itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "detour/routing/api.hpp"
#include "detour/routing/topology.hpp"

namespace detour {

class DETOUR_API LiveGraph {
 public:
  using Node = std::int32_t;
  using LinkId = std::int32_t;

  struct Link {
    Node a;
    Node b;
  };
  struct Edge {  // a link as seen from one of its ends
    Node to;
    LinkId link;
  };

  explicit LiveGraph(const Topology& topology);

  Node node_count() const { return static_cast<Node>(cells_.size()); }
  LinkId link_count() const { return static_cast<LinkId>(links_.size()); }
  CellId cell(Node node) const { return cells_[static_cast<std::size_t>(node)]; }
  // Of the mesh, dead or alive.
  CellId cell_count() const { return static_cast<CellId>(nodes_.size()); }
  // -1 for a dead cell.
  Node node(CellId cell) const { return nodes_[static_cast<std::size_t>(cell)]; }
  const Link& link(LinkId link) const { return links_[static_cast<std::size_t>(link)]; }
  std::span<const Link> links() const { return links_; }
  std::span<const Edge> edges(Node node) const {
    const auto at = static_cast<std::size_t>(node);
    return {edges_.data() + first_edge_[at], edges_.data() + first_edge_[at + 1]};
  }

 private:
  std::vector<CellId> cells_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<std::size_t> first_edge_;
  std::vector<Edge> edges_;
};

}  // namespace detour
