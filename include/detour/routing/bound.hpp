// T*: no allreduce on this live graph can be faster, and here is the partition that proves it.
#pragma once

#include <cstdint>
#include <vector>

#include "detour/routing/api.hpp"
#include "detour/routing/topology.hpp"

namespace detour {

// Cut the live cells into parts. Something of every part has to reach every other, which takes a
// spanning tree over the parts for each byte, so (parts - 1) M bytes cross the links between parts:
// T >= (parts - 1) / links, in units of M/B. T* is the best such bound, and tree packing reaches
// it.
struct DETOUR_API Bound {
  std::vector<std::vector<CellId>> partition;  // each part ascending, ordered by lowest cell
  std::int64_t part_count_minus_one = 0;
  std::int64_t link_count = 0;  // between different parts; 0: a single cell, or disconnected
  bool exact = false;           // known: no partition proves more

  // Infinite where the partition is disconnected, 0 for one part.
  double time() const;
};

// The bound of the topology's links without bridges: of a mesh in parts it is infinite, and its
// partition the parts. Exact up to `exact_cell_count_max` live cells; above that exact where it says so,
// otherwise the best partition found.
inline constexpr std::int32_t exact_cell_count_max = 1024;
DETOUR_API Bound limit(const Topology& topology);

// Recounts what a partition proves, trusting nothing: throws std::invalid_argument unless the parts
// are connected and hold every live cell once. Never exact: other partitions may prove more.
DETOUR_API Bound certify(const Topology& topology, std::vector<std::vector<CellId>> partition);

}  // namespace detour
