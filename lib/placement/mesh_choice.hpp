// The shape of mesh for so many cells.
#pragma once

#include <cstdint>

#include "detour/routing/api.hpp"
#include "detour/routing/mesh.hpp"

namespace detour {

// The mesh in which an allreduce among `cell_count` cells (1 to Mesh::cell_count_max) wastes least,
// when cells fill it row by row and those left over at the end are holes.
//
// Its sides differ by a factor of 4 at most: longer ones have long ways. Within that
// 1. a mesh without holes, the squarest, because every policy is at its best on an intact mesh;
// 2. otherwise the one with the most links: n cells need n - 1 links for a tree and the payload is
//    spread over as many trees as fit, so time is about (n - 1) / links. But where a single cell is
//    left in the last row, all of the payload goes through the one link that it has: as slow as a mesh
//    with n - 1 links;
// 3. among equals the one with the fewest holes, then the squarest.
DETOUR_API Mesh choose_mesh(std::int32_t cell_count);

}  // namespace detour
