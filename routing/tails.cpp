#include "tails.hpp"

#include <cstdint>

namespace detour {

using Node = LiveGraph::Node;

namespace {

constexpr Node none = -1;

// Distances from the ring; the nodes off it come in order of distance.
struct Distances {
  std::vector<std::int32_t> of;  // by node
  std::vector<Node> off_ring;
};

Distances distances_from(const LiveGraph& graph, const std::vector<Node>& ring) {
  constexpr std::int32_t unknown = -1;
  Distances result;
  result.of.assign(static_cast<std::size_t>(graph.node_count()), unknown);
  for (const Node node : ring) result.of[static_cast<std::size_t>(node)] = 0;
  const auto spread_from = [&](Node node) {
    for (const auto& edge : graph.edges(node)) {
      auto& distance = result.of[static_cast<std::size_t>(edge.to)];
      if (distance != unknown) continue;
      distance = result.of[static_cast<std::size_t>(node)] + 1;
      result.off_ring.push_back(edge.to);
    }
  };
  for (const Node node : ring) spread_from(node);
  for (std::size_t next = 0; next < result.off_ring.size(); ++next) {
    spread_from(result.off_ring[next]);
  }
  return result;
}

}  // namespace

std::array<std::vector<Hop>, 2> two_sets_of_tails(const LiveGraph& graph,
                                                  const std::vector<Node>& ring) {
  const Distances distances = distances_from(graph, ring);
  const auto distance = [&](Node node) { return distances.of[static_cast<std::size_t>(node)]; };
  std::vector<std::int32_t> child_count(distances.of.size(), 0);
  std::array<std::vector<Hop>, 2> sets;
  for (const Node node : distances.off_ring) {
    Node taken = none;
    for (auto& tails : sets) {
      Node parent = taken;
      for (const auto& edge : graph.edges(node)) {
        if (distance(edge.to) != distance(node) - 1 || edge.to == taken) continue;
        if (parent == taken || child_count[static_cast<std::size_t>(edge.to)] <
                                   child_count[static_cast<std::size_t>(parent)]) {
          parent = edge.to;
        }
      }
      ++child_count[static_cast<std::size_t>(parent)];
      tails.push_back({graph.cell(node), graph.cell(parent)});
      taken = parent;
    }
  }
  return sets;
}

}  // namespace detour
