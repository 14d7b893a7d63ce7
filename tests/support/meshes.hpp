// Shorthand for topologies in tests.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "detour/routing/topology.hpp"

namespace detour::test {

// '.' is a live cell, 'x' a hole; one string per row.
Topology drawn(const std::vector<std::string>& rows, Connectivity connectivity = Connectivity::mesh,
               bool bridges_allowed = true);

Topology intact(std::int32_t rows, std::int32_t cols);

Topology with_holes(const Mesh& mesh, const std::vector<Cell>& holes);

// A block of rows x cols dead cells with its upper left corner in `corner`.
Topology with_block(const Mesh& mesh, Cell corner, std::int32_t rows, std::int32_t cols);

// Bit i of `dead` fails cell i.
Topology with_dead_bits(const Mesh& mesh, std::uint64_t dead);

// So many different cells, at random.
Topology with_random_holes(const Mesh& mesh, std::int32_t hole_count, std::mt19937& random);
Topology with_random_holes(const Mesh& mesh, std::int32_t hole_count, std::uint32_t seed);

}  // namespace detour::test
