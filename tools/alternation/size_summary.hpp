// From the times of calls made in turn to what is said of a size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alternation/series.hpp"

namespace detour::tool {

// How one series' calls went at one size. Times of series in the running are of the same rounds, in order; the others'
// are of the trial. None at all: it could not do it.
struct Calls {
  bool in_the_running = true;
  std::vector<double> us = {};
};

// Whether a peer with this median is too slow to be the best of them: more than `ratio` times as slow as the fastest.
bool is_hopeless(double us, std::span<const double> peers_us, double ratio);

// `calls` in the order of `series`, which are those of a comparison.
ComparedSize summarise(std::uint64_t bytes, std::span<const Series> series,
                       std::span<const Calls> calls);

}  // namespace detour::tool
