// A number that tells buffers apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace detour::kills {

// Never 0, which stands for no result.
inline std::uint64_t digest_of(std::span<const std::byte> bytes) {
  std::uint64_t digest = 0xcbf29ce484222325 ^ bytes.size();
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t taken = bytes.size() < sizeof word ? bytes.size() : sizeof word;
    std::memcpy(&word, bytes.data(), taken);
    digest = (digest ^ word) * 0x9e3779b97f4a7c15;
    digest ^= digest >> 32;
    bytes = bytes.subspan(taken);
  }
  return digest | 1;
}

}  // namespace detour::kills
