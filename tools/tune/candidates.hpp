// Which ways are measured.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "selection/selection_table.hpp"
#include "tune/way.hpp"

namespace detour::tool {

// Of allreduces of these sizes. What the built-in table does with any of them is always among them: it is what others
// have to beat. `apart` is not, because it is `streamed` out of place and `cached` in place.
std::vector<Way> candidates(const std::vector<std::string>& policies, NodeLayout nodes,
                            int rank_count, std::span<const std::uint64_t> sizes_bytes);

}  // namespace detour::tool
