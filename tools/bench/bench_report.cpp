#include "bench/bench_report.hpp"

#include <algorithm>

namespace detour::tool {

std::string SeriesName::text() const {
  if (!handing) return name;
  return name + (handing == Handing::nonblocking ? " nonblocking" : " blocking");
}

std::optional<std::size_t> twin_of(std::span<const SeriesName> series, std::size_t index) {
  const SeriesName& own = series[index];
  const auto is_twin = [&own](const SeriesName& other) {
    if (own.handing == Handing::nonblocking) {
      return other.handing == Handing::blocking && other.name == own.name;
    }
    return own.role == SeriesRole::subject && other.role == SeriesRole::twin;
  };
  const auto found = std::ranges::find_if(series, is_twin);
  if (found == series.end()) return std::nullopt;
  return static_cast<std::size_t>(found - series.begin());
}

bool BenchReport::has(SeriesRole role) const {
  return std::ranges::any_of(series, [role](const SeriesName& one) { return one.role == role; });
}

std::optional<Latency> latency_of(SeriesRole role, const BenchReport& report,
                                  const SizeResult& size, std::optional<Handing> handing) {
  for (std::size_t index = 0; index < report.series.size(); ++index) {
    const SeriesName& series = report.series[index];
    if (series.role == role && series.handing == handing) return size.latencies[index];
  }
  return std::nullopt;
}

std::optional<Latency> best_mpi(const BenchReport& report, const SizeResult& size) {
  std::optional<Latency> best;
  for (std::size_t index = 0; index < report.series.size(); ++index) {
    const auto& latency = size.latencies[index];
    if (report.series[index].role != SeriesRole::mpi || !latency) continue;
    if (!best || latency->p50_us < best->p50_us) best = latency;
  }
  return best;
}

double speedup(const Latency& mpi, const Latency& detour) {
  return detour.p50_us > 0 ? mpi.p50_us / detour.p50_us : 0;
}

double allowed_ratio(const BenchReport& report, const SizeResult& size) {
  if (report.twin == TwinKind::without_losses) return allowed_survivors_ratio;
  return allowed_fault_tolerance_ratio(size.bytes, report.in_place, report.rank_count);
}

Verdict judge(const BenchReport& report, const SizeResult& size, const Ratio& to_twin) {
  if (report.twin == TwinKind::without_losses) return judge(to_twin, allowed_survivors_ratio);
  return judge_fault_tolerance(to_twin, size.bytes, report.in_place, report.rank_count);
}

}  // namespace detour::tool
