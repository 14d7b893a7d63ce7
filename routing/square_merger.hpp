// Grows and joins cycles over the 2x2 squares of a mesh.
#pragma once

#include <utility>
#include <vector>

#include "cycle_cover.hpp"
#include "detour/routing/live_graph.hpp"
#include "union_find.hpp"

namespace detour {

class SquareMerger {
 public:
  using Node = LiveGraph::Node;

  // Both must outlive the merger. Starts with the cycles of `cover`.
  SquareMerger(const Mesh& mesh, const LiveGraph& graph, CycleCover cover);

  // A cycle of four for every live square of the tiling that starts at (row, col).
  void tile(std::int32_t row, std::int32_t col);

  // Joins cycles that run side by side. Over a tiling this is the walk round a spanning tree of its
  // squares, and one cycle is left wherever squares hang together.
  void merge();

  // The same, and takes in pairs of cells beside a cycle.
  void merge_and_grow();

  const CycleCover& cover() const { return cover_; }

 private:
  struct Square {
    Node a, b;  // a b
    Node d, c;  // d c, -1 for what is dead or outside
    bool live() const { return a >= 0 && b >= 0 && c >= 0 && d >= 0; }
  };

  Square square_at(CellId corner) const;
  template <class Change>
  void visit_squares(const Change& change);
  bool merge_sides(Node a, Node b, Node d, Node c);
  bool take_in(Node a, Node b, Node d, Node c);

  const Mesh& mesh_;
  const LiveGraph& graph_;
  CycleCover cover_;
  UnionFind cycle_of_;
};

}  // namespace detour
