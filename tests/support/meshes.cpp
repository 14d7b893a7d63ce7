#include "support/meshes.hpp"

namespace detour::test {

Topology drawn(const std::vector<std::string>& rows, Connectivity connectivity,
               bool bridges_allowed) {
  const Mesh mesh(static_cast<std::int32_t>(rows.size()),
                  static_cast<std::int32_t>(rows.front().size()));
  FaultSet faults(mesh);
  for (CellId cell = 0; cell < mesh.cell_count(); ++cell) {
    const Cell at = mesh.cell(cell);
    if (rows[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.col)] == 'x') {
      faults.fail(cell);
    }
  }
  return Topology(mesh, faults, connectivity, bridges_allowed);
}

Topology intact(std::int32_t rows, std::int32_t cols) {
  return with_holes(Mesh(rows, cols), {});
}

Topology with_holes(const Mesh& mesh, const std::vector<Cell>& holes) {
  FaultSet faults(mesh);
  for (const Cell hole : holes) faults.fail(mesh.id(hole));
  return Topology(mesh, faults);
}

Topology with_block(const Mesh& mesh, Cell corner, std::int32_t rows, std::int32_t cols) {
  FaultSet faults(mesh);
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t col = 0; col < cols; ++col) {
      faults.fail(mesh.id({corner.row + row, corner.col + col}));
    }
  }
  return Topology(mesh, faults);
}

Topology with_dead_bits(const Mesh& mesh, std::uint64_t dead) {
  FaultSet faults(mesh);
  for (CellId cell = 0; cell < mesh.cell_count(); ++cell) {
    if ((dead >> cell) & 1U) faults.fail(cell);
  }
  return Topology(mesh, faults);
}

Topology with_random_holes(const Mesh& mesh, std::int32_t hole_count, std::mt19937& random) {
  FaultSet faults(mesh);
  while (faults.count() < hole_count) {
    faults.fail(static_cast<CellId>(random() % static_cast<std::uint32_t>(mesh.cell_count())));
  }
  return Topology(mesh, faults);
}

Topology with_random_holes(const Mesh& mesh, std::int32_t hole_count, std::uint32_t seed) {
  std::mt19937 random(seed);  // the standard fixes its sequence, not that of the distributions
  return with_random_holes(mesh, hole_count, random);
}

}  // namespace detour::test
