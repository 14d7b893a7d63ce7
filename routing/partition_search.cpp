#include "partition_search.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "max_flow.hpp"

namespace detour {
namespace {

using Node = LiveGraph::Node;
using Partition = std::vector<std::vector<CellId>>;

// Given a ratio `links : parts` (of the best partition so far: |E(P)| : |P|-1), looks for a
// partition with fewer links per part, that is a better bound, among those that keep the given
// seeds whole.
//
// It takes in the seeds one at a time and keeps a partition of those taken in. With the new seed v
// as a part of its own, a set S of parts that holds v is worth merging if the links inside S
// outnumber ratio x (|S|-1): those links are then better left uncut. The best such S is a minimum
// cut: v is the source; a part pays `ratio` to be in S and earns half of each link to a part in S.
// (This is the greedy algorithm for Dilworth truncations: because no set of the earlier parts was
// worth merging, the result is the best partition for this ratio.)
class Merger {
 public:
  Merger(const LiveGraph& graph, std::int64_t links, std::int64_t parts)
      : graph_(graph),
        links_(links),
        parts_(parts),
        part_of_(static_cast<std::size_t>(graph.node_count()), not_taken),
        place_(part_of_.size(), -1) {
    for (Node node = 0; node < graph.node_count(); ++node) take_in(node);
  }

  Partition partition() const {
    Partition result;
    for (const auto& nodes : members_) {
      if (nodes.empty()) continue;
      std::vector<CellId> cells;
      for (const Node node : nodes) cells.push_back(graph_.cell(node));
      std::sort(cells.begin(), cells.end());
      result.push_back(std::move(cells));
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  using Part = std::int32_t;
  static constexpr Part not_taken = -1;

  void take_in(Node node) {
    const Part part = node;
    members_.push_back({node});
    part_of_[static_cast<std::size_t>(node)] = part;
    for (const Part other : worth_merging(part)) merge(part, other);
  }

  // Links from a part to other parts, those between the same two parts one by one.
  template <class Visit>
  void for_each_link(Part part, Visit visit) const {
    for (const Node member : members_[static_cast<std::size_t>(part)]) {
      for (const auto& edge : graph_.edges(member)) {
        const Part other = part_of_[static_cast<std::size_t>(edge.to)];
        if (other != part && other != not_taken) visit(other);
      }
    }
  }

  std::vector<Part> worth_merging(Part fresh) {
    std::vector<Part> parts{fresh};
    for (Part part = 0; part < fresh; ++part) {
      if (!members_[static_cast<std::size_t>(part)].empty()) parts.push_back(part);
    }
    for (std::size_t at = 0; at < parts.size(); ++at) {
      place_[static_cast<std::size_t>(parts[at])] = static_cast<MaxFlow::Node>(at);
    }
    const MaxFlow::Node source = 0;  // the place of the fresh part
    const auto sink = static_cast<MaxFlow::Node>(parts.size());
    MaxFlow flow(sink + 1);
    for (MaxFlow::Node at = 0; at < sink; ++at) {
      std::int64_t degree = 0;
      for_each_link(parts[static_cast<std::size_t>(at)], [&](Part other) {
        const auto place = place_[static_cast<std::size_t>(other)];
        ++degree;
        if (place > at) flow.add_arc(at, place, parts_, parts_);
      });
      if (at == source) continue;
      // All weights times 2 x parts, so that they are integers.
      const std::int64_t price = 2 * links_ - parts_ * degree;
      if (price > 0) flow.add_arc(at, sink, price, 0);
      if (price < 0) flow.add_arc(source, at, -price, 0);
    }
    flow.run(source, sink);
    std::erase_if(parts, [&](Part part) {
      return part == fresh || !flow.on_source_side(place_[static_cast<std::size_t>(part)]);
    });
    return parts;
  }

  void merge(Part into, Part from) {
    auto& kept = members_[static_cast<std::size_t>(into)];
    auto& gone = members_[static_cast<std::size_t>(from)];
    for (const Node node : gone) part_of_[static_cast<std::size_t>(node)] = into;
    kept.insert(kept.end(), gone.begin(), gone.end());
    gone.clear();
  }

  const LiveGraph& graph_;
  const std::int64_t links_;
  const std::int64_t parts_;
  std::vector<Part> part_of_;               // by node
  std::vector<std::vector<Node>> members_;  // by part; empty once it was merged into another
  std::vector<MaxFlow::Node> place_;        // by part, in the network at hand
};

bool proves_more(const Bound& a, const Bound& b) {
  return a.part_count_minus_one * b.link_count > b.part_count_minus_one * a.link_count;
}

}  // namespace

// Dinkelbach's method: the best partition for the ratio of the last one, until it does not improve.
// Each round proves strictly more than the one before, and there are finitely many ratios.
Bound best_bound(const Topology& topology, const LiveGraph& graph, Bound best) {
  for (;;) {
    auto partition = Merger(graph, best.link_count, best.part_count_minus_one).partition();
    Bound candidate = certify(topology, std::move(partition));
    if (!proves_more(candidate, best)) break;
    best = std::move(candidate);
  }
  best.exact = true;
  return best;
}

}  // namespace detour
