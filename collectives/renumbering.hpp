// Programs for some of the ranks of a communicator: made as if there were no others, and then given the real
// ranks' numbers.
#pragma once

#include <span>

#include "collectives/program.hpp"

namespace detour {

// What was rank i becomes numbers[i].
void renumber(Program& program, std::span<const Rank> numbers);

}  // namespace detour
