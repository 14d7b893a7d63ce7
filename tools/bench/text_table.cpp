#include "bench/text_table.hpp"

#include <algorithm>
#include <string_view>

#include "bench/bucket_table.hpp"
#include "format.hpp"

namespace detour::tool {
namespace {

constexpr std::size_t size_width = 11;
constexpr std::size_t time_width = 11;
constexpr std::size_t bandwidth_width = 9;
constexpr std::size_t ratio_width = 12;
constexpr std::size_t ratio_bound_width = 7;

// Without a choice of policies there is one series of Detour, which needs no name.
std::size_t name_width(const BenchReport& report) {
  std::size_t width = 0;
  std::size_t detour_count = 0;
  for (const SeriesName& series : report.series) {
    if (series.role != SeriesRole::subject) continue;
    ++detour_count;
    width = std::max(width, series.name.size());
  }
  const bool plain = detour_count == 1 && report.series.front().name == "detour";
  return plain ? 0 : std::max(width, std::string_view("Policy").size()) + 2;
}

bool shows_traffic(const BenchReport& report) {
  return report.in_place && report.twin == TwinKind::without_fault_tolerance;
}

std::string twin_headings(const BenchReport& report) {
  const bool lacks_ft = report.twin == TwinKind::without_fault_tolerance;
  std::string text = right_aligned(lacks_ft ? "noft P50" : "fresh P50", time_width) +
                     right_aligned(lacks_ft ? "Detour/noft" : "holes/fresh", ratio_width + 1) +
                     right_aligned("from", ratio_bound_width) +
                     right_aligned("to", ratio_bound_width) + right_aligned("more ns", time_width);
  if (shows_traffic(report)) text += right_aligned("traffic", bandwidth_width);
  return text + right_aligned("allowed", bandwidth_width) +
         right_aligned("target", bandwidth_width);
}

std::string twin_cells(const BenchReport& report, const SizeResult& size, std::size_t index) {
  const auto twin = latency_of(SeriesRole::twin, report, size);
  const auto to_twin = size.ratio_to_twin(index);
  if (!twin || !to_twin) return {};
  const Ratio& ratio = *to_twin;
  std::string text = right_aligned(fixed(twin->p50_us, 2), time_width) +
                     right_aligned(fixed(ratio.ratio, 3), ratio_width + 1) +
                     right_aligned(fixed(ratio.low, 3), ratio_bound_width) +
                     right_aligned(fixed(ratio.high, 3), ratio_bound_width);
  text += right_aligned(size.bytes < small_message_bytes ? fixed(ratio.difference_ns, 0) : "-",
                        time_width);
  if (shows_traffic(report)) {
    text += right_aligned(fixed(in_place_traffic_ratio(report.rank_count), 3), bandwidth_width);
  }
  return text + right_aligned(fixed(allowed_ratio(report, size), 3), bandwidth_width) +
         right_aligned(to_text(judge(report, size, ratio)), bandwidth_width);
}

std::string row(const BenchReport& report, const SizeResult& size, std::size_t index) {
  const Latency& latency = *size.latencies[index];
  std::string line = right_aligned(std::to_string(size.bytes), size_width);
  if (const std::size_t width = name_width(report); width > 0) {
    line += right_aligned(report.series[index].name, width);
  }
  for (const double us :
       {latency.avg_us, latency.min_us, latency.max_us, latency.p50_us, latency.p99_us}) {
    line += right_aligned(fixed(us, 2), time_width);
  }
  line += right_aligned(fixed(algorithm_gbs(size.bytes, latency.avg_us), 3), bandwidth_width);
  line += right_aligned(fixed(bus_gbs(size.bytes, latency.avg_us, report.rank_count), 3),
                        bandwidth_width);
  if (const auto mpi = latency_of(SeriesRole::mpi, report, size)) {
    line += right_aligned(fixed(mpi->p50_us, 2), time_width);
    line += right_aligned(fixed(speedup(*mpi, latency), 2), ratio_width);
  }
  if (report.twin) line += twin_cells(report, size, index);
  return line + "\n";
}

std::string losses(const BenchReport& report) {
  if (report.lost_rank_count == 0) return {};
  return " left of " + std::to_string(report.rank_count + report.lost_rank_count);
}

std::string mpi_row(const BenchReport& report, const SizeResult& size, const Latency& mpi) {
  std::string line = right_aligned(std::to_string(size.bytes), size_width);
  if (const std::size_t width = name_width(report); width > 0) line += right_aligned("-", width);
  for (int column = 0; column < 5; ++column) line += right_aligned("-", time_width);
  line += right_aligned("-", bandwidth_width) + right_aligned("-", bandwidth_width);
  return line + right_aligned(fixed(mpi.p50_us, 2), time_width) + right_aligned("-", ratio_width) +
         "\n";
}

std::string facts(const BenchReport& report) {
  std::string text = "# Detour " + report.version +
                     " allreduce: " + count(report.rank_count, "rank") + losses(report) + ", " +
                     report.operation + " of " + report.type +
                     (report.in_place ? ", in place" : "") + ", memory from " + report.memory;
  if (!report.transport.empty()) text += ", transport " + report.transport;
  return text + (report.validated ? ", validated\n" : ", not validated\n");
}

}  // namespace

std::string table_head(const BenchReport& report) {
  if (report.buckets) return facts(report) + bucket_headings(report);
  std::string text = facts(report) + "# size in bytes, latency in us, bandwidth in GB/s\n";
  text += right_aligned("Size", size_width);
  if (const std::size_t width = name_width(report); width > 0)
    text += right_aligned("Policy", width);
  for (const char* name : {"Avg", "Min", "Max", "P50", "P99"})
    text += right_aligned(name, time_width);
  text += right_aligned("algbw", bandwidth_width) + right_aligned("busbw", bandwidth_width);
  if (report.has(SeriesRole::mpi)) {
    text += right_aligned("MPI P50", time_width) + right_aligned("MPI/Detour", ratio_width);
  }
  if (report.twin) text += twin_headings(report);
  return text + "\n";
}

std::string table_rows(const BenchReport& report, const SizeResult& size) {
  if (report.buckets) return bucket_rows(report, size);
  std::string text;
  for (std::size_t index = 0; index < report.series.size(); ++index) {
    if (report.series[index].role != SeriesRole::subject || !size.latencies[index]) continue;
    text += row(report, size, index);
  }
  // A size that only MPI could do is not hidden.
  const auto mpi = latency_of(SeriesRole::mpi, report, size);
  if (text.empty() && mpi) text = mpi_row(report, size, *mpi);
  return text;
}

std::string table_notes(const BenchReport& report) {
  std::string text;
  for (const std::string& note : report.notes) text += "# note: " + one_line(note) + "\n";
  return text;
}

}  // namespace detour::tool
