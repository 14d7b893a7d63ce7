// Spanning trees packed so that no link is in many of them.
#pragma once

#include <cstdint>
#include <vector>

#include "detour/routing/live_graph.hpp"
#include "detour/routing/mesh.hpp"
#include "detour/routing/tree.hpp"

namespace detour {

// Links per part, inverted: a partition into `parts` + 1 parts with `links` between them. No
// packing puts less than parts/links of its trees on the busiest link.
struct Ratio {
  std::int64_t parts = 0;
  std::int64_t links = 1;
};

inline bool operator<(const Ratio& a, const Ratio& b) {
  return a.parts * b.links < b.parts * a.links;
}

// K spanning trees of one graph, and for each link the number of trees that it is in (its load).
class TreePacking {
 public:
  using Node = LiveGraph::Node;
  using LinkId = LiveGraph::LinkId;
  using TreeId = std::int32_t;

  // Starts from combs with their holes patched: see the source.
  TreePacking(const LiveGraph& graph, const Mesh& mesh, TreeId tree_count);

  TreeId tree_count() const { return tree_count_; }
  std::int32_t load_max() const;
  TreeLinks links(TreeId tree) const;

  enum class Result { reached, impossible, out_of_steps };

  // Exchanges links between trees until no load exceeds `target`. Whatever the result, the trees
  // are trees and no load has grown beyond the target. Each visit of a node takes one step off
  // `steps`, which bounds the work in a way that is the same on every machine.
  Result lower_to(std::int32_t target, std::int64_t& steps);

  // Makes trees shallower where that puts no link above the largest load.
  void flatten();

  // After `impossible`, until the next change: the parts that prove it, and what they prove, which
  // is more than target/K.
  std::vector<std::vector<CellId>> proof() const;
  Ratio proven() const;

 private:
  struct Origin {  // how the search came to a link: as the replacement of `link` in `tree`
    LinkId link;
    TreeId tree;
  };
  enum class Extent { whole_tree, unexplored };

  std::uint8_t& in_tree(TreeId tree, LinkId link);
  bool in_tree(TreeId tree, LinkId link) const;
  std::int32_t& load(LinkId link) { return loads_[static_cast<std::size_t>(link)]; }

  struct Place {  // of a link on the mesh
    bool along_row;
    bool along_col;
    Cell cell;  // its first end
  };
  void add_comb(TreeId tree, const std::vector<Place>& places, bool of_rows, std::int32_t spine);
  Result relieve(LinkId overloaded, std::int32_t target, std::int64_t& steps);
  bool explore(LinkId full, TreeId tree, std::int32_t target, std::int64_t& steps);
  void split(TreeId tree, LinkId link, Extent extent, std::int64_t& steps);
  bool in_small_side(Node node) const {
    return side_[static_cast<std::size_t>(node)] == small_mark_;
  }
  void exchange_along(LinkId spare, std::int64_t& steps);
  void exchange(TreeId tree, LinkId out, LinkId in, std::int64_t& steps);

  const LiveGraph* graph_;  // not owned; a pointer, so that packings can be assigned
  TreeId tree_count_;
  std::vector<std::uint8_t> in_tree_;  // tree by tree, one per link
  std::vector<std::int32_t> loads_;

  // Of the search at hand.
  std::vector<Origin> origin_;          // by link
  std::vector<std::uint8_t> explored_;  // by link: its cuts have been searched in all trees
  std::vector<LinkId> queue_;
  std::vector<std::int32_t> side_;  // by node: the mark of its side in the last split that met it
  std::int32_t last_mark_ = 0;
  std::int32_t small_mark_ = 0;  // of the smaller side
  std::vector<Node> small_side_;
  std::vector<Node> other_side_;
};

}  // namespace detour
