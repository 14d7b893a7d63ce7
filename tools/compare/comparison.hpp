// What was measured beside each other: Detour, the allreduces that could be used instead, and what limits all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alternation/series.hpp"

namespace detour::tool {

// Messages from which on buffers that all ranks map are measured; below, they are copied anyway.
inline constexpr std::uint64_t shared_bytes_min = 64 << 10;
// Messages from which on memory itself is the limit. Below, the caches would be measured, and it is how long ranks take to
// meet that counts.
inline constexpr std::uint64_t memory_bytes_min = 64 << 10;
// Messages from which on a bare exchange is measured in all its forms. Below, it is not worth while to cut them, or to write
// past the caches.
inline constexpr std::uint64_t all_exchanges_bytes_min = 1 << 10;

// One job: so many ranks, in place or not.
struct Comparison {
  int rank_count = 1;
  bool in_place = false;
  std::string mpi_version = {};
  std::string detour_version = {};
  std::vector<Series> series = {};
  std::vector<ComparedSize> sizes = {};
  std::vector<std::string> notes = {};
};

// The series with this role and such buffers that was fastest at this size, trials aside; nothing if none was measured. Only
// Detour and exchanges have buffers that are not any.
std::optional<std::size_t> fastest(const Comparison& comparison, const ComparedSize& size,
                                   Role role, Buffers buffers = Buffers::any);
// Of Detour with such buffers, at this size; nothing if it was not measured.
std::optional<Median> detour_median(const Comparison& comparison, const ComparedSize& size,
                                    Buffers buffers);
const Standing* find_standing(const ComparedSize& size, Buffers buffers);

std::string buffers_words(Buffers buffers);  // "any", "Detour_Alloc"

}  // namespace detour::tool
