#include "alternation/size_summary.hpp"

#include <algorithm>
#include <cmath>

#include "bench/statistics.hpp"

namespace detour::tool {
namespace {

// The bounds are themselves calls: so many of them are shorter than the true median as heads come up when coins are
// tossed, which is 95 % of the time within two standard deviations, sqrt(n) / 2 each, of a half.
Median median_of(const Calls& calls) {
  std::vector<double> us = calls.us;
  std::ranges::sort(us);
  const auto count = static_cast<double>(us.size());
  const double spread = 0.98 * std::sqrt(count);
  const auto at = [&](double rank) {
    return us[static_cast<std::size_t>(std::clamp(rank, 1.0, count)) - 1];
  };
  return {.of_trial = !calls.in_the_running,
          .call_count = us.size(),
          .us = percentile(us, 0.5),
          .low_us = at(std::floor(count / 2 - spread)),
          .high_us = at(std::ceil(count / 2 + 1 + spread))};
}

// The fastest of those in the running, in which only they are comparable call by call.
const Calls* fastest_calls(std::span<const Series> series, std::span<const Calls> calls, Role role,
                           Buffers buffers) {
  const Calls* best = nullptr;
  double best_us = 0;
  for (std::size_t index = 0; index < series.size(); ++index) {
    if (series[index].role != role || series[index].buffers != buffers) continue;
    if (!calls[index].in_the_running || calls[index].us.empty()) continue;
    const double us = percentile(calls[index].us, 0.5);
    if (best != nullptr && us >= best_us) continue;
    best = &calls[index];
    best_us = us;
  }
  return best;
}

// How many times as long the other one took.
std::optional<Ratio> ratio_to(const Calls* own, const Calls* other) {
  if (own == nullptr || other == nullptr) return std::nullopt;
  return estimate_ratio(other->us, own->us);
}

}  // namespace

bool is_hopeless(double us, std::span<const double> peers_us, double ratio) {
  return us > ratio * *std::ranges::min_element(peers_us);
}

ComparedSize summarise(std::uint64_t bytes, std::span<const Series> series,
                       std::span<const Calls> calls) {
  ComparedSize size{.bytes = bytes};
  for (const Calls& one : calls) {
    size.medians.push_back(one.us.empty() ? std::nullopt : std::optional(median_of(one)));
  }
  const Calls* const best_peer = fastest_calls(series, calls, Role::peer, Buffers::any);
  const Calls* const limit = fastest_calls(series, calls, Role::limit, Buffers::any);
  size.best_peer_to_limit = ratio_to(limit, best_peer);
  for (std::size_t index = 0; index < series.size(); ++index) {
    if (series[index].role != Role::detour || calls[index].us.empty()) continue;
    const Buffers buffers = series[index].buffers;
    const Calls* const exchange = fastest_calls(series, calls, Role::exchange, buffers);
    size.standings.push_back({.buffers = buffers,
                              .to_best_peer = ratio_to(&calls[index], best_peer),
                              .to_limit = ratio_to(&calls[index], limit),
                              .best_peer_to_exchange = ratio_to(exchange, best_peer),
                              .limit_to_exchange = ratio_to(exchange, limit)});
  }
  return size;
}

}  // namespace detour::tool
