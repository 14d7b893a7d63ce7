// Detours of a ring through cells that it passes by.
//
//      u1-u2-u3        A detour leaves the ring at x, passes through cells off the ring, and comes
//      |      |        back at y. It replaces the way from x to y on the ring, the shorter one if
//   ---x--w---y---     there are two, and gains the cells by which it is longer.
#pragma once

#include <cstdint>
#include <vector>

#include "detour/routing/live_graph.hpp"

namespace detour {

class RingDetours {
 public:
  using Node = LiveGraph::Node;

  // The graph must outlive this.
  RingDetours(const LiveGraph& graph, std::vector<Node> ring);

  // Takes every detour that gains something, until there is none.
  void lengthen();

  // The ring with a detour from x that gains nothing; empty if there is none. It brings other cells
  // off the ring, which may be easier to take in.
  std::vector<Node> with_neutral_detour(Node x);

  const std::vector<Node>& ring() const { return ring_; }

 private:
  struct Detour {
    Node from;
    std::vector<Node> through;
    Node to;
  };

  void renumber();
  std::int32_t ring_distance(Node a, Node b) const;
  Detour best_detour(Node x, std::int32_t gain_min);
  void take(const Detour& detour);

  const LiveGraph& graph_;
  std::vector<Node> ring_;
  std::vector<std::int32_t> position_;  // on the ring, by node
  std::vector<Node> before_;            // in the search, by node
  std::vector<std::int32_t> distance_;  // likewise
  std::int64_t visits_left_;
};

}  // namespace detour
