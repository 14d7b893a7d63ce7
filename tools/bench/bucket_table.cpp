#include "bench/bucket_table.hpp"

#include <algorithm>
#include <numeric>

#include "format.hpp"

namespace detour::tool {
namespace {

constexpr std::size_t figure_width = 10;
constexpr std::size_t wide_figure_width = 14;
constexpr std::size_t bound_width = 8;

std::size_t series_width(const BenchReport& report) {
  std::size_t width = 0;
  for (const SeriesName& series : report.series) width = std::max(width, series.text().size());
  return width;
}

std::string bucket_words(const BucketFacts& buckets) {
  const auto& sizes = buckets.sizes_bytes;
  const auto [least, most] = std::ranges::minmax(sizes);
  const auto sum = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  std::string text = "# a step: " + count(static_cast<std::int64_t>(sizes.size()), "bucket") +
                     ", " + rounded_size(static_cast<double>(least)) + " to " +
                     rounded_size(static_cast<double>(most)) + " each, " +
                     rounded_size(static_cast<double>(sum)) + " in all";
  if (buckets.compute_us > 0) {
    text += "; " + duration(static_cast<double>(buckets.compute_us)) + " of computing before each";
  }
  return text + "\n";
}

std::string milliseconds(double us) {
  return right_aligned(fixed(us / 1e3, 2), figure_width);
}

// How many times as long MPI takes: in calls of the same kind, and in those that are its fastest.
std::string mpi_cells(const BenchReport& report, const SizeResult& size, const SeriesName& series,
                      const Latency& latency) {
  const auto cell = [&](const std::optional<Latency>& mpi) {
    const bool compares = mpi && series.role != SeriesRole::mpi;
    return right_aligned(compares ? fixed(speedup(*mpi, latency), 2) : "-", wide_figure_width);
  };
  return cell(latency_of(SeriesRole::mpi, report, size, series.handing)) +
         cell(best_mpi(report, size));
}

std::string blocking_cells(const std::optional<Ratio>& ratio) {
  const auto cell = [&](double Ratio::*figure, std::size_t width) {
    return right_aligned(ratio ? fixed(*ratio.*figure, 3) : "-", width);
  };
  return cell(&Ratio::ratio, wide_figure_width) + cell(&Ratio::low, bound_width) +
         cell(&Ratio::high, bound_width);
}

std::string bucket_row(const BenchReport& report, const SizeResult& size, std::size_t index) {
  const SeriesName& series = report.series[index];
  const Latency& latency = *size.latencies[index];
  const auto& buckets = *report.buckets;
  std::string line = left_aligned(series.text(), series_width(report)) +
                     milliseconds(latency.avg_us) + milliseconds(latency.p50_us) +
                     milliseconds(latency.p99_us);
  if (buckets.compute_us > 0) {
    line += milliseconds(latency.p50_us -
                         static_cast<double>(buckets.compute_us * buckets.sizes_bytes.size()));
  }
  line += right_aligned(fixed(algorithm_gbs(size.bytes, latency.avg_us), 3), figure_width);
  if (report.has(SeriesRole::mpi)) line += mpi_cells(report, size, series, latency);
  return line + blocking_cells(size.ratio_to_twin(index)) + "\n";
}

}  // namespace

std::string bucket_headings(const BenchReport& report) {
  std::string text = bucket_words(*report.buckets) + "# time of a step in ms, bandwidth in GB/s\n" +
                     left_aligned("Series", series_width(report));
  for (const char* name : {"Avg", "P50", "P99"}) text += right_aligned(name, figure_width);
  if (report.buckets->compute_us > 0) text += right_aligned("exposed", figure_width);
  text += right_aligned("algbw", figure_width);
  if (report.has(SeriesRole::mpi)) {
    text += right_aligned("MPI/this", wide_figure_width) +
            right_aligned("best MPI/this", wide_figure_width);
  }
  return text + right_aligned("this/blocking", wide_figure_width) +
         right_aligned("from", bound_width) + right_aligned("to", bound_width) + "\n";
}

std::string bucket_rows(const BenchReport& report, const SizeResult& size) {
  std::string text;
  for (std::size_t index = 0; index < report.series.size(); ++index) {
    if (size.latencies[index]) text += bucket_row(report, size, index);
  }
  return text;
}

}  // namespace detour::tool
