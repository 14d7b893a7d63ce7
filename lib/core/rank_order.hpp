// Reductions whose operands have to be taken in rank order, among ranks that don't share memory. Trees
// on a mesh don't keep that order, so everybody gets all operands and combines them itself.
#pragma once

#include <cstdint>
#include <functional>

#include "collectives/call.hpp"

namespace detour {

// `run` carries out the calls that this takes and returns their error. The call itself has been agreed on.
int reduce_in_rank_order(const Call& call, std::size_t rank, std::size_t rank_count,
                         const std::function<int(const Call&)>& run);

}  // namespace detour
