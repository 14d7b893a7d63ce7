// How large the slots of members are, in all communicators.
#pragma once

#include "node/member_block.hpp"

namespace detour {

inline constexpr MemberBlockLayout block_layout{.small_bytes = 4096,
                                                .piece_bytes = std::size_t{256} << 10};

}  // namespace detour
