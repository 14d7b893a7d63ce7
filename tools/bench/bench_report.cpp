#include "bench/bench_report.hpp"

namespace detour::tool {

std::optional<Latency> latency_of(SeriesRole role, const BenchReport& report,
                                  const SizeResult& size) {
  for (std::size_t index = 0; index < report.series.size(); ++index) {
    if (report.series[index].role == role) return size.latencies[index];
  }
  return std::nullopt;
}

double speedup(const Latency& mpi, const Latency& detour) {
  return detour.p50_us > 0 ? mpi.p50_us / detour.p50_us : 0;
}

double allowed_ratio(const BenchReport& report, const SizeResult& size) {
  if (report.twin == TwinKind::without_losses) return allowed_survivors_ratio;
  return allowed_fault_tolerance_ratio(size.bytes, report.in_place, report.rank_count);
}

Verdict judge(const BenchReport& report, const SizeResult& size) {
  if (report.twin == TwinKind::without_losses) return judge(*size.to_twin, allowed_survivors_ratio);
  return judge_fault_tolerance(*size.to_twin, size.bytes, report.in_place, report.rank_count);
}

}  // namespace detour::tool
