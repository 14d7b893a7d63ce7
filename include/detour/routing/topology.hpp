// What a policy may route over: a mesh, its holes, and which hops exist.
#pragma once

#include <span>
#include <vector>

#include "detour/routing/api.hpp"
#include "detour/routing/fault_set.hpp"
#include "detour/routing/mesh.hpp"

namespace detour {

// One transfer between two cells.
struct Hop {
  CellId from = no_cell;
  CellId to = no_cell;
  auto operator<=>(const Hop&) const = default;
};

enum class Connectivity {
  mesh,      // a cell reaches its four neighbours
  complete,  // every cell reaches every other directly (ranks that share memory)
};

// Immutable. Everything derived (live cells, parts, bridges) is computed once, here, so that all
// policies and the checker mean the same thing by it.
class DETOUR_API Topology {
 public:
  // Throws std::invalid_argument if the fault set belongs to a mesh of another size.
  Topology(const Mesh& mesh, FaultSet faults, Connectivity connectivity = Connectivity::mesh,
           bool bridges_allowed = true);

  const Mesh& mesh() const { return mesh_; }
  const FaultSet& faults() const { return faults_; }
  Connectivity connectivity() const { return connectivity_; }
  bool bridges_allowed() const { return bridges_allowed_; }

  bool live(CellId cell) const { return mesh_.contains(cell) && !faults_.failed(cell); }
  // In ascending order.
  std::span<const CellId> live_cells() const { return live_cells_; }
  std::int32_t live_count() const { return static_cast<std::int32_t>(live_cells_.size()); }

  // Whether a hop between two cells needs no bridge.
  bool linked(CellId a, CellId b) const;

  // The parts into which the live mesh falls when only mesh links count, each ascending, in the
  // order of their lowest cells.
  const std::vector<std::vector<CellId>>& parts() const { return parts_; }

  // The fewest non-mesh hops that join all parts, the shortest such: a minimum spanning tree of the
  // parts by Manhattan distance. Empty when there is one part. They are there whether or not the
  // topology allows or (connectivity complete) needs them to be marked as bridges.
  std::span<const Hop> joins() const { return joins_; }

  // Whether a plan can exist: one part, or hops beyond the mesh links are allowed.
  bool joinable() const;

 private:
  void find_parts();
  void find_joins();

  Mesh mesh_;
  FaultSet faults_;
  Connectivity connectivity_;
  bool bridges_allowed_;
  std::vector<CellId> live_cells_;
  std::vector<std::int32_t> part_of_;
  std::vector<std::vector<CellId>> parts_;
  std::vector<Hop> joins_;
};

}  // namespace detour
