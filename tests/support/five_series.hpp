// A comparison's series, one of each kind and a second peer.
#pragma once

#include <vector>

#include "alternation/size_summary.hpp"

namespace detour::test {

inline const std::vector<tool::Series> five_series{
    {"detour", tool::Role::detour, tool::Buffers::any},
    {"shared", tool::Role::detour, tool::Buffers::shared},
    {"a", tool::Role::peer, tool::Buffers::any},
    {"b", tool::Role::peer, tool::Buffers::any},
    {"memory", tool::Role::limit, tool::Buffers::any}};

}  // namespace detour::test
