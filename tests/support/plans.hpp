// What several routing tests need: topologies from words, policies by name, and an oracle.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "detour/routing.hpp"

namespace detour::test {

// '.' is a live cell, 'x' a hole; one string per row.
Topology topology_of(const std::vector<std::string>& rows,
                     Connectivity connectivity = Connectivity::mesh, bool bridges_allowed = true);

// The holes are the bits of `mask`, cell 0 in the lowest.
Topology topology_of(const Mesh& mesh, std::uint64_t mask);

Topology with_holes(const Mesh& mesh, const std::vector<Cell>& holes);

// So many different cells, at random.
Topology with_random_holes(const Mesh& mesh, std::int32_t hole_count, std::mt19937& random);

const Policy& policy(const std::string& name);

// Runs a plan symbolically, flow by flow: nothing if every live cell ends up with every live cell's
// contribution exactly once, in shares that make up the whole; otherwise what went wrong. It knows
// nothing of trees: it moves sets of contributions along hops whenever a cell has all it waits for.
std::optional<std::string> oracle_defect(const Topology& topology, const Plan& plan);

}  // namespace detour::test
