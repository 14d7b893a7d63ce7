#include "detour/routing/bound.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "detour/routing/live_graph.hpp"
#include "max_flow.hpp"
#include "pack_trees.hpp"

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

Partition all_apart(const Topology& topology) {
  Partition partition;
  for (const CellId cell : topology.live_cells()) partition.push_back({cell});
  return partition;
}

// Dinkelbach's method: the best partition for the ratio of the last one, until it does not improve.
// Each round proves strictly more than the one before, and there are finitely many ratios.
Bound improve(const Topology& topology, const LiveGraph& graph, Bound best) {
  for (;;) {
    auto partition = Merger(graph, best.link_count, best.part_count_minus_one).partition();
    if (partition.size() == 1) return best;
    Bound candidate = certify(topology, std::move(partition));
    if (!proves_more(candidate, best)) return best;
    best = std::move(candidate);
  }
}

// What packing trees proves on the side. It is exact where a packing meets it.
Bound bound_of_packing(const Topology& topology, const LiveGraph& graph) {
  constexpr std::int32_t tree_count_max = 64;
  const std::int64_t steps = std::max<std::int64_t>(1'000'000, 1000 * topology.live_count());
  auto packed = pack_trees(graph, topology.mesh(), tree_count_max, steps);
  auto partition = packed.partition.empty() ? all_apart(topology) : std::move(packed.partition);
  Bound bound = certify(topology, std::move(partition));
  bound.exact = packed.packing.load_max() * bound.link_count ==
                packed.packing.tree_count() * bound.part_count_minus_one;
  return bound;
}

// Whether the cell was in no part yet; it is now.
bool mark(std::vector<std::int32_t>& part_of, CellId cell, std::int32_t part) {
  auto& its_part = part_of[static_cast<std::size_t>(cell)];
  if (its_part >= 0) return false;
  its_part = part;
  return true;
}

void require_connected(const Topology& topology, const std::vector<CellId>& part,
                       const std::vector<std::int32_t>& part_of) {
  const auto number = part_of[static_cast<std::size_t>(part.front())];
  std::vector<bool> seen(part_of.size());
  std::vector<CellId> reached{part.front()};
  seen[static_cast<std::size_t>(part.front())] = true;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (const CellId neighbour : topology.mesh().neighbours(reached[next])) {
      const auto at = static_cast<std::size_t>(neighbour);
      if (seen[at] || part_of[at] != number) continue;
      seen[at] = true;
      reached.push_back(neighbour);
    }
  }
  if (reached.size() != part.size()) throw std::invalid_argument("a part is not connected");
}

std::int64_t crossing_link_count(const Topology& topology, const Partition& partition,
                                 const std::vector<std::int32_t>& part_of) {
  std::int64_t count = 0;
  if (topology.connectivity() == Connectivity::complete) {
    std::int64_t before = 0;  // cells of earlier parts, each linked to each cell of this one
    for (const auto& part : partition) {
      count += before * static_cast<std::int64_t>(part.size());
      before += static_cast<std::int64_t>(part.size());
    }
    return count;
  }
  for (const CellId cell : topology.live_cells()) {
    for (const CellId neighbour : topology.mesh().neighbours(cell)) {
      if (neighbour < cell || !topology.live(neighbour)) continue;
      if (part_of[static_cast<std::size_t>(cell)] != part_of[static_cast<std::size_t>(neighbour)]) {
        ++count;
      }
    }
  }
  return count;
}

}  // namespace

double Bound::time() const {
  if (part_count_minus_one == 0) return 0;
  if (link_count == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(part_count_minus_one) / static_cast<double>(link_count);
}

Bound certify(const Topology& topology, Partition partition) {
  std::vector<std::int32_t> part_of(static_cast<std::size_t>(topology.mesh().cell_count()), -1);
  std::size_t cell_count = 0;
  for (std::size_t part = 0; part < partition.size(); ++part) {
    if (partition[part].empty()) throw std::invalid_argument("a part is empty");
    for (const CellId cell : partition[part]) {
      if (!topology.live(cell)) throw std::invalid_argument("a part holds a dead cell");
      if (!mark(part_of, cell, static_cast<std::int32_t>(part))) {
        throw std::invalid_argument("a cell is in two parts");
      }
      ++cell_count;
    }
  }
  if (cell_count != topology.live_cells().size()) {
    throw std::invalid_argument("a live cell is in no part");
  }
  if (topology.connectivity() == Connectivity::mesh) {
    for (const auto& part : partition) require_connected(topology, part, part_of);
  }

  Bound bound;
  bound.part_count_minus_one = static_cast<std::int64_t>(partition.size()) - 1;
  bound.link_count = crossing_link_count(topology, partition, part_of);
  bound.partition = std::move(partition);
  return bound;
}

Bound limit(const Topology& topology) {
  if (topology.live_count() <= 1) return {};
  // p parts of a complete graph have at least (p-1)(n-p/2) links between them: single cells prove
  // most, 2/n.
  if (topology.connectivity() == Connectivity::complete) {
    return certify(topology, all_apart(topology));
  }
  if (topology.parts().size() > 1) return certify(topology, topology.parts());
  const LiveGraph graph(topology);
  Bound bound = bound_of_packing(topology, graph);
  if (bound.exact || topology.live_count() > exact_cell_count_max) return bound;
  bound = improve(topology, graph, std::move(bound));
  bound.exact = true;
  return bound;
}

}  // namespace detour
