// Calls that move bytes without combining them.
#pragma once

#include <cstdint>
#include <span>

#include "collectives/call.hpp"

namespace detour {

// The payload is in one place, where it comes from and where it goes.
void describe_moving(Call& call, std::byte* payload, std::uint64_t bytes);

// How a payload is cut among ranks, for headers; never 0.
std::uint64_t shape_of(std::span<const std::uint64_t> block_counts);

}  // namespace detour
