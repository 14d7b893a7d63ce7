// How cells outside the pairs of lines hand their data to a pair, and how pairs reach each other.
#pragma once

#include <cstdint>
#include <vector>

#include "detour/routing/live_graph.hpp"
#include "line_pairs.hpp"

namespace detour {

class HandOver {
 public:
  using Node = LiveGraph::Node;
  using LinkId = LiveGraph::LinkId;
  static constexpr LinkId no_link = -1;

  // A cell outside the pairs.
  struct Guest {
    Node node;
    std::int32_t position;  // along its line
    LinkId way;             // the first link of a shortest way to a pair, across lines if possible
    LinkId other_way;       // a link to use now and then instead, to relieve `way`; or no_link
  };
  // A link between what belongs to one pair and what belongs to another.
  struct Crossing {
    LinkId link;
    std::int32_t position;
    std::int32_t length;  // of the whole way from pair to pair
  };
  // All crossings between two pairs.
  struct Gap {
    std::int32_t pair_a;
    std::int32_t pair_b;
    std::int32_t length_min;
    std::vector<Crossing> crossings;
  };

  explicit HandOver(const LinePairs& lines);

  const std::vector<Guest>& guests() const { return guests_; }  // nearest to a pair first
  const std::vector<Gap>& gaps() const { return gaps_; }        // shortest first

 private:
  void find_distances();
  void find_ways();
  void find_gaps();
  Guest guest_at(Node node) const;

  static std::size_t index(Node node) { return static_cast<std::size_t>(node); }

  const LinePairs& lines_;
  const LiveGraph& graph_;
  std::vector<std::int32_t> distance_;  // from the nearest pair, by node
  std::vector<std::int32_t> host_;      // the pair that a node belongs to or comes to
  std::vector<Node> outside_;           // the pairs, in order of distance
  std::vector<Guest> guests_;
  std::vector<Gap> gaps_;
};

}  // namespace detour
