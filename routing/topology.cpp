#include "detour/routing/topology.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "union_find.hpp"

namespace detour {
namespace {

constexpr std::int32_t no_part = -1;

}  // namespace

Topology::Topology(const Mesh& mesh, FaultSet faults, Connectivity connectivity,
                   bool bridges_allowed)
    : mesh_(mesh),
      faults_(std::move(faults)),
      connectivity_(connectivity),
      bridges_allowed_(bridges_allowed) {
  if (faults_.cell_count() != static_cast<std::size_t>(mesh_.cell_count())) {
    throw std::invalid_argument("the fault set belongs to a mesh of another size");
  }
  for (CellId cell = 0; cell < mesh_.cell_count(); ++cell) {
    if (!faults_.failed(cell)) live_cells_.push_back(cell);
  }
  find_parts();
  find_joins();
}

bool Topology::linked(CellId a, CellId b) const {
  if (!live(a) || !live(b) || a == b) return false;
  return connectivity_ == Connectivity::complete || mesh_.adjacent(a, b);
}

bool Topology::joinable() const {
  return parts_.size() <= 1 || bridges_allowed_ || connectivity_ == Connectivity::complete;
}

void Topology::find_parts() {
  part_of_.assign(static_cast<std::size_t>(mesh_.cell_count()), no_part);
  for (const CellId seed : live_cells_) {
    if (part_of_[static_cast<std::size_t>(seed)] != no_part) continue;
    const auto part = static_cast<std::int32_t>(parts_.size());
    std::vector<CellId> members{seed};
    part_of_[static_cast<std::size_t>(seed)] = part;
    for (std::size_t next = 0; next < members.size(); ++next) {
      for (const CellId neighbour : mesh_.neighbours(members[next])) {
        auto& its_part = part_of_[static_cast<std::size_t>(neighbour)];
        if (!live(neighbour) || its_part != no_part) continue;
        its_part = part;
        members.push_back(neighbour);
      }
    }
    std::sort(members.begin(), members.end());
    parts_.push_back(std::move(members));
  }
}

// Every dead cell is given to the live cell nearest to it (a breadth-first search from all live
// cells at once). A shortest join of two parts crosses from one such territory into another exactly
// once, so a minimum spanning tree over the borders of territories is one over all pairs of cells.
void Topology::find_joins() {
  if (parts_.size() <= 1) return;
  const auto cell_count = static_cast<std::size_t>(mesh_.cell_count());
  std::vector<CellId> owner(cell_count, no_cell);
  std::vector<CellId> queue(live_cells_);
  for (const CellId cell : live_cells_) owner[static_cast<std::size_t>(cell)] = cell;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const CellId neighbour : mesh_.neighbours(queue[next])) {
      auto& its_owner = owner[static_cast<std::size_t>(neighbour)];
      if (its_owner != no_cell) continue;
      its_owner = owner[static_cast<std::size_t>(queue[next])];
      queue.push_back(neighbour);
    }
  }

  std::vector<std::tuple<std::int32_t, CellId, CellId>> candidates;
  for (CellId cell = 0; cell < mesh_.cell_count(); ++cell) {
    for (const CellId neighbour : mesh_.neighbours(cell)) {
      const CellId a = owner[static_cast<std::size_t>(cell)];
      const CellId b = owner[static_cast<std::size_t>(neighbour)];
      if (a >= b) continue;
      if (part_of_[static_cast<std::size_t>(a)] == part_of_[static_cast<std::size_t>(b)]) continue;
      candidates.emplace_back(mesh_.distance(a, b), a, b);
    }
  }
  std::sort(candidates.begin(), candidates.end());

  UnionFind joined(static_cast<std::int32_t>(parts_.size()));
  for (const auto& [distance, a, b] : candidates) {
    const auto part_a = part_of_[static_cast<std::size_t>(a)];
    const auto part_b = part_of_[static_cast<std::size_t>(b)];
    if (joined.unite(part_a, part_b)) joins_.push_back({a, b});
  }
}

}  // namespace detour
