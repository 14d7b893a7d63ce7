// Copies that go past the caches, for data that nobody is going to look for there.
#pragma once

#include <cstddef>

namespace detour {

// The two must not overlap. Worth it for results of some MiB only, see DirectOperation.
void copy_past_caches(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;

}  // namespace detour
