// Comparisons made up for tests.
#pragma once

#include "compare/comparison.hpp"

namespace detour::test {

inline tool::Ratio exactly(double ratio) {
  return {.ratio = ratio, .low = ratio, .high = ratio};
}

// Detour with both kinds of buffers, two peers and memory, at some sizes. Detour takes as many us as there are ranks.
inline tool::Comparison made_up(int rank_count, bool in_place,
                                const std::vector<std::uint64_t>& sizes_bytes, double ratio) {
  using namespace tool;
  Comparison comparison{.rank_count = rank_count,
                        .in_place = in_place,
                        .mpi_version = "Some MPI 1",
                        .detour_version = "0.1",
                        .series = {{"detour", Role::detour, Buffers::any},
                                   {"detour, Detour_Alloc", Role::detour, Buffers::shared},
                                   {"slow", Role::peer, Buffers::any},
                                   {"quick", Role::peer, Buffers::any},
                                   {"memory", Role::limit, Buffers::any}},
                        .sizes = {},
                        .notes = {}};
  const double us = rank_count;
  const auto median = [](double value) { return Median{false, 100, value, value, value}; };
  for (const std::uint64_t bytes : sizes_bytes) {
    ComparedSize size{.bytes = bytes,
                      .best_peer_to_limit = exactly(ratio * 1.5),
                      .medians = {median(us), median(us), median(us * ratio * 3),
                                  median(us * ratio), median(us / 1.5)},
                      .standings = {}};
    for (const Buffers buffers : {Buffers::any, Buffers::shared}) {
      size.standings.push_back({buffers, exactly(ratio), exactly(1 / 1.5)});
    }
    comparison.sizes.push_back(size);
  }
  return comparison;
}

}  // namespace detour::test
