// Sizes of data in tests.
#pragma once

#include <cstdint>

namespace detour::test {

inline constexpr std::uint64_t kib = 1 << 10;
inline constexpr std::uint64_t mib = 1 << 20;

}  // namespace detour::test
