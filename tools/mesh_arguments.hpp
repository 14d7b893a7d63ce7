// "8x8" and "4-5,4-7": meshes and failed cells as people type them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "detour/routing/fault_set.hpp"
#include "detour/routing/mesh.hpp"

namespace detour::tool {

// ROWSxCOLS. Throws BadInput.
Mesh parse_mesh(std::string_view text);

// Cells R,C and blocks R1-R2,C1-C2 (either part may be a single number). Throws BadInput.
FaultSet parse_faults(const std::vector<std::string>& texts, const Mesh& mesh);

}  // namespace detour::tool
