// Which combinations are tried: a sample, or all of them. The same on every rank for the same seed.
#pragma once

#include <cstdint>
#include <vector>

#include "combination.hpp"

namespace detour::parity {

// Every datatype with every operation that it allows, every count, in place and not, every policy: in
// random order.
std::vector<Combination> whole_product(const Universe& universe, std::uint64_t seed);

// Some of it. All types, operations, counts, policies are in it if it is not too small; large counts
// are rare.
std::vector<Combination> sample_of_product(const Universe& universe, std::size_t combination_count,
                                           std::uint64_t seed);

// What is not in the product: the other functions, a user's operations, parts of the ranks.
std::vector<Combination> sample_of_others(const Universe& universe, std::size_t combination_count,
                                          std::uint64_t seed);

}  // namespace detour::parity
