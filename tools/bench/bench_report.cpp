#include "bench/bench_report.hpp"

namespace detour::tool {

std::optional<Latency> mpi_latency(const BenchReport& report, const SizeResult& size) {
  for (std::size_t index = 0; index < report.series.size(); ++index) {
    if (report.series[index].is_mpi) return size.latencies[index];
  }
  return std::nullopt;
}

double speedup(const Latency& mpi, const Latency& detour) {
  return detour.p50_us > 0 ? mpi.p50_us / detour.p50_us : 0;
}

}  // namespace detour::tool
