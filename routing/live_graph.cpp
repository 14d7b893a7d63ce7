#include "detour/routing/live_graph.hpp"

namespace detour {

LiveGraph::LiveGraph(const Topology& topology)
    : cells_(topology.live_cells().begin(), topology.live_cells().end()),
      nodes_(static_cast<std::size_t>(topology.mesh().cell_count()), -1) {
  for (Node node = 0; node < node_count(); ++node)
    nodes_[static_cast<std::size_t>(cell(node))] = node;

  for (const CellId cell : cells_) {
    for (const CellId neighbour : topology.mesh().neighbours(cell)) {
      if (neighbour > cell && topology.live(neighbour))
        links_.push_back({node(cell), node(neighbour)});
    }
  }
  for (const Hop& join : topology.joins()) links_.push_back({node(join.from), node(join.to)});

  first_edge_.assign(cells_.size() + 1, 0);
  for (const Link& link : links_) {
    ++first_edge_[static_cast<std::size_t>(link.a) + 1];
    ++first_edge_[static_cast<std::size_t>(link.b) + 1];
  }
  for (std::size_t node = 0; node < cells_.size(); ++node)
    first_edge_[node + 1] += first_edge_[node];
  edges_.resize(2 * links_.size());
  auto place = first_edge_;
  for (LinkId id = 0; id < link_count(); ++id) {
    const Link ends = link(id);
    edges_[place[static_cast<std::size_t>(ends.a)]++] = {ends.b, id};
    edges_[place[static_cast<std::size_t>(ends.b)]++] = {ends.a, id};
  }
}

}  // namespace detour
