// Shorthand for topologies in tests.
#pragma once

#include <initializer_list>
#include <random>

#include "detour/routing/topology.hpp"

namespace detour::test {

inline Topology with_holes(const Mesh& mesh, std::initializer_list<Cell> holes) {
  FaultSet faults(mesh);
  for (const Cell hole : holes) faults.fail(mesh.id(hole));
  return Topology(mesh, faults);
}

inline Topology intact(std::int32_t rows, std::int32_t cols) {
  return with_holes(Mesh(rows, cols), {});
}

// A block of rows x cols dead cells with its upper left corner in `corner`.
inline Topology with_block(const Mesh& mesh, Cell corner, std::int32_t rows, std::int32_t cols) {
  FaultSet faults(mesh);
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t col = 0; col < cols; ++col) {
      faults.fail(mesh.id({corner.row + row, corner.col + col}));
    }
  }
  return Topology(mesh, faults);
}

// Bit i of `dead` fails cell i.
inline Topology with_dead_bits(const Mesh& mesh, std::uint32_t dead) {
  FaultSet faults(mesh);
  for (CellId cell = 0; cell < mesh.cell_count(); ++cell) {
    if ((dead >> cell) & 1u) faults.fail(cell);
  }
  return Topology(mesh, faults);
}

inline Topology with_random_holes(const Mesh& mesh, std::int32_t hole_count, std::uint32_t seed) {
  std::mt19937 random(seed);  // the standard fixes its sequence, not that of the distributions
  FaultSet faults(mesh);
  while (faults.count() < hole_count) {
    faults.fail(static_cast<CellId>(random() % static_cast<std::uint32_t>(mesh.cell_count())));
  }
  return Topology(mesh, faults);
}

}  // namespace detour::test
