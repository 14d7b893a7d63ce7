// Times made up for tests of `detour tune`.
#pragma once

#include <algorithm>
#include <vector>

#include "support/sizes.hpp"
#include "tune/job_times.hpp"

namespace detour::test {

inline tool::Way direct(std::uint64_t chunk_bytes, StoreChoice stores) {
  return {"direct", chunk_bytes, stores};
}

// The interval goes so far to both sides of the median, relative to it.
inline tool::Median median_of(double us, double doubt) {
  return {.of_trial = false,
          .call_count = 100,
          .us = us,
          .low_us = us / (1 + doubt),
          .high_us = us * (1 + doubt)};
}

inline tool::WayTimes times(const tool::Way& way, double out_of_place_us, double in_place_us,
                            double doubt = 0.01) {
  return {way, median_of(out_of_place_us, doubt), median_of(in_place_us, doubt)};
}

// Both kinds of stores take as long.
inline void add_direct(tool::SizeTimes& size, std::uint64_t chunk_bytes, double us,
                       double doubt = 0.01) {
  for (const StoreChoice stores : {StoreChoice::cached, StoreChoice::streamed}) {
    size.ways.push_back(times(direct(chunk_bytes, stores), us, us, doubt));
  }
}

// On one node, one way of cutting messages beside another.
inline tool::SizeTimes whole_and_64k(std::uint64_t bytes, double whole_us, double us_64k,
                                     double doubt = 0.01) {
  tool::SizeTimes size{.bytes = bytes};
  add_direct(size, whole_chunk, whole_us, doubt);
  add_direct(size, 64 * kib, us_64k, doubt);
  return size;
}

inline tool::JobTimes job_of(int rank_count, const std::vector<tool::SizeTimes>& sizes) {
  return {.nodes = NodeLayout::one, .rank_count = rank_count, .sizes = sizes, .notes = {}};
}

}  // namespace detour::test
