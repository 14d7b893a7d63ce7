// Sums that some ranks are missing from, made comparable with those of all: times the number of ranks, by that of the
// contributors. Then whoever divides by the number of ranks gets the mean over the contributors.
#pragma once

#include <cstddef>

#include "collectives/call.hpp"
#include "collectives/element_type.hpp"

namespace detour {

// Real and complex floating-point numbers.
bool can_be_scaled(ElementType type) noexcept;

// In place, in the precision of a double at least, each rounded once to its type; float16 and bfloat16 in that of a
// float. The same bits on all machines. Any alignment.
void scale(ElementType type, std::byte* data, std::size_t count, double factor) noexcept;

// This rank's part of the result, if it is a sum of such numbers; other results stay as they are.
void rescale_result(const Call& call, std::size_t rank_count, std::size_t contributor_count);

}  // namespace detour
