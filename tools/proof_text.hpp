// The proof of the limit for people: which parts the mesh is cut into, and what follows.
#pragma once

#include <string>

#include "detour/routing/bound.hpp"

namespace detour::tool {

// Lines: the argument, the parts in words, and a drawing with a letter per part.
std::string proof_text(const Topology& topology, const Bound& bound, bool unicode);

}  // namespace detour::tool
