#include "detour/routing/bound.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "detour/routing/live_graph.hpp"
#include "pack_trees.hpp"
#include "partition_search.hpp"

namespace detour {
namespace {

using Partition = std::vector<std::vector<CellId>>;

Partition all_apart(const Topology& topology) {
  Partition partition;
  for (const CellId cell : topology.live_cells()) partition.push_back({cell});
  return partition;
}

// What packing trees proves on the side. It is exact where a packing meets it.
Bound bound_of_packing(const Topology& topology, const LiveGraph& graph) {
  auto packed = pack_trees(graph, topology.mesh(), usual_tree_count_max);
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
  bound.part_count_minus_one = std::max<std::int64_t>(0, std::ssize(partition) - 1);
  bound.link_count = crossing_link_count(topology, partition, part_of);
  bound.partition = std::move(partition);
  return bound;
}

Bound limit(const Topology& topology) {
  Bound bound;
  bound.exact = true;
  if (topology.live_count() <= 1) return bound;
  const bool complete = topology.connectivity() == Connectivity::complete;
  if (complete || topology.parts().size() > 1) {
    // p parts of a complete graph have at least (p-1)(n-p/2) links between them: single cells prove
    // most, 2/n. Parts without any link prove that there is no limit.
    bound = certify(topology, complete ? all_apart(topology) : topology.parts());
    bound.exact = true;
    return bound;
  }
  const LiveGraph graph(topology);
  bound = bound_of_packing(topology, graph);
  if (bound.exact || topology.live_count() > exact_cell_count_max) return bound;
  return best_bound(topology, graph, std::move(bound));
}

}  // namespace detour
