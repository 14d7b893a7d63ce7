// The mesh as pairs of whole lines. Lines are its rows, or its columns: all else is the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "detour/routing/live_graph.hpp"

namespace detour {

class LinePairs {
 public:
  using Node = LiveGraph::Node;
  using LinkId = LiveGraph::LinkId;

  // The links round the cycle of a pair, and its chords, by position along the lines.
  struct Pair {
    std::int32_t first_line;
    std::vector<LinkId> along_first;   // position - position + 1
    std::vector<LinkId> along_second;  // likewise
    std::vector<LinkId> rungs;         // first line - second line
  };

  // Pairs up the whole lines from the first on: a line with a dead cell, or without a whole
  // neighbour that is still free, stays out. The graph must outlive the pairs.
  LinePairs(const Topology& topology, const LiveGraph& graph, bool of_columns);

  // The direction that leaves fewer cells out; if they are equal the shorter lines, then the rows.
  // Nothing if there is no pair either way.
  static std::optional<LinePairs> best(const Topology& topology, const LiveGraph& graph);

  const LiveGraph& graph() const { return graph_; }
  const std::vector<Pair>& pairs() const { return pairs_; }
  std::int32_t length() const { return length_; }  // of a line
  std::int32_t line_of(Node node) const;
  std::int32_t position_of(Node node) const;
  // -1 for a node outside the pairs.
  std::int32_t pair_of(Node node) const {
    return pair_of_line_[static_cast<std::size_t>(line_of(node))];
  }

 private:
  Node node_at(std::int32_t line, std::int32_t position) const;
  bool whole(std::int32_t line) const;
  void add_pair(std::int32_t first_line);

  Mesh mesh_;
  const LiveGraph& graph_;
  bool of_columns_;
  std::int32_t length_;
  std::vector<std::int32_t> pair_of_line_;
  std::vector<Pair> pairs_;
};

}  // namespace detour
