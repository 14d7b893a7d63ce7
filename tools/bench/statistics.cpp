#include "bench/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace detour::tool {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double percentile(std::vector<double> values, double part) {
  const double rank = std::ceil(part * static_cast<double>(values.size()));
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(index, values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double algorithm_gbs(std::uint64_t bytes, double us) {
  return us > 0 ? static_cast<double>(bytes) / us / 1e3 : 0;
}

double bus_gbs(std::uint64_t bytes, double us, int rank_count) {
  return algorithm_gbs(bytes, us) * 2 * (rank_count - 1) / rank_count;
}

double memory_limit_us(std::uint64_t bytes, int rank_count, double limit_gbs) {
  return 2.0 * static_cast<double>(bytes) * rank_count / (limit_gbs * 1e3);
}

}  // namespace detour::tool
