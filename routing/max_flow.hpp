// Maximum flow between two nodes of a small network (Dinic: blocking flows by distance level).
#pragma once

#include <cstdint>
#include <vector>

namespace detour {

class MaxFlow {
 public:
  using Node = std::int32_t;

  explicit MaxFlow(Node node_count);

  // An arc each way: for an undirected edge both capacities are the same, for an arc one is 0.
  void add_arc(Node from, Node to, std::int64_t capacity, std::int64_t back_capacity);
  // Call once, after all arcs are there.
  void run(Node source, Node sink);
  // After run(): on the source's side of the minimum cut that is closest to the source.
  bool on_source_side(Node node) const { return level_[static_cast<std::size_t>(node)] >= 0; }

 private:
  struct Arc {
    Node to;
    std::int32_t next;  // of the same start, -1 ends the list
    std::int64_t capacity;
  };

  bool find_levels();
  std::int64_t push(Node node, std::int64_t limit);
  std::int32_t& next_arc(Node node) { return next_arc_[static_cast<std::size_t>(node)]; }
  Arc& arc(std::int32_t id) { return arcs_[static_cast<std::size_t>(id)]; }

  Node source_ = 0;
  Node sink_ = 0;
  std::vector<Arc> arcs_;  // 2k and 2k+1 are the two directions of one
  std::vector<std::int32_t> first_arc_;
  std::vector<std::int32_t> next_arc_;
  std::vector<std::int32_t> level_;
  std::vector<Node> queue_;
};

}  // namespace detour
