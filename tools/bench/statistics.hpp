// From times of calls to the figures of a row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace detour::tool {

// In microseconds. The first three are over ranks, each with the mean of its calls; the percentiles
// are over calls, each as long as its slowest rank took.
struct Latency {
  double avg_us = 0;
  double min_us = 0;
  double max_us = 0;
  double p50_us = 0;
  double p99_us = 0;
};

double mean(std::span<const double> values);

// The smallest value that at least this part of the values do not exceed. Not of nothing.
double percentile(std::vector<double> values, double part);

// nccl-tests' definitions: what the caller sees of the payload, and what each rank's link would
// have to carry at least; the latter can be compared across rank counts. Zero for no time.
double algorithm_gbs(std::uint64_t bytes, double us);
double bus_gbs(std::uint64_t bytes, double us, int rank_count);

// How long it takes to read every rank's input once and to write every rank's output once, where all
// of them together move `limit_gbs`.
double memory_limit_us(std::uint64_t bytes, int rank_count, double limit_gbs);

}  // namespace detour::tool
