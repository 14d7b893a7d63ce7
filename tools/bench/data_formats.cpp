#include "bench/data_formats.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

namespace detour::tool {
namespace {

using Json = nlohmann::ordered_json;

// The shortest text that reads back as the same number.
std::string exact(double number) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

// Names are our own or those of policies, which may hold anything.
std::string csv_word(const std::string& word) {
  if (word.find_first_of(",\"\n\r") == std::string::npos) return word;
  std::string quoted = "\"";
  for (const char letter : word) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

constexpr const char* csv_twin_headings =
    ",over_twin,over_twin_low,over_twin_high,over_twin_ns,over_twin_allowed,over_twin_target";

constexpr const char* csv_bucket_headings =
    ",best_mpi_over_this,over_blocking,over_blocking_low,over_blocking_high";

// What is known of one series at one size.
struct Entry {
  const BenchReport& report;
  const SizeResult& size;
  const SeriesName& series;
  const Latency& latency;
  std::optional<Ratio> to_twin;
  std::optional<Latency> mpi;
};

// Calls `visit` for everything that was measured.
template <class Visit>
void for_each_entry(const BenchReport& report, const Visit& visit) {
  for (const SizeResult& size : report.sizes) {
    for (std::size_t index = 0; index < report.series.size(); ++index) {
      const SeriesName& series = report.series[index];
      if (!size.latencies[index]) continue;
      visit(Entry{.report = report,
                  .size = size,
                  .series = series,
                  .latency = *size.latencies[index],
                  .to_twin = size.ratio_to_twin(index),
                  .mpi = latency_of(SeriesRole::mpi, report, size, series.handing)});
    }
  }
}

std::string csv_twin_cells(const Entry& entry) {
  if (!entry.to_twin) return ",,,,,,";
  const Ratio& ratio = *entry.to_twin;
  std::string text;
  for (const double figure : {ratio.ratio, ratio.low, ratio.high, ratio.difference_ns,
                              allowed_ratio(entry.report, entry.size)}) {
    text += "," + exact(figure);
  }
  return text + "," + std::string(to_text(judge(entry.report, entry.size, ratio)));
}

std::string csv_bucket_cells(const Entry& entry) {
  const auto best = best_mpi(entry.report, entry.size);
  const std::string text = "," + (best ? exact(speedup(*best, entry.latency)) : "");
  if (!entry.to_twin) return text + ",,,";
  return text + "," + exact(entry.to_twin->ratio) + "," + exact(entry.to_twin->low) + "," +
         exact(entry.to_twin->high);
}

std::string csv_row(const Entry& entry) {
  const auto& [report, size, series, latency, to_twin, mpi] = entry;
  std::string line = std::to_string(size.bytes) + "," + csv_word(series.text()) + "," +
                     std::to_string(size.iteration_count);
  for (const double figure : {latency.avg_us, latency.min_us, latency.max_us, latency.p50_us,
                              latency.p99_us, algorithm_gbs(size.bytes, latency.avg_us),
                              bus_gbs(size.bytes, latency.avg_us, report.rank_count)}) {
    line += "," + exact(figure);
  }
  line += "," + (mpi ? exact(speedup(*mpi, latency)) : "");
  if (report.twin) line += csv_twin_cells(entry);
  if (report.buckets) line += csv_bucket_cells(entry);
  return line + "\n";
}

Json json_ratio(const Ratio& ratio) {
  return {{"ratio", ratio.ratio},
          {"low", ratio.low},
          {"high", ratio.high},
          {"difference_ns", ratio.difference_ns}};
}

Json json_row(const Entry& entry) {
  const auto& [report, size, series, latency, to_twin, mpi] = entry;
  Json row{{"bytes", size.bytes},
           {"series", series.text()},
           {"iterations", size.iteration_count},
           {"avg_us", latency.avg_us},
           {"min_us", latency.min_us},
           {"max_us", latency.max_us},
           {"p50_us", latency.p50_us},
           {"p99_us", latency.p99_us},
           {"algbw_gbs", algorithm_gbs(size.bytes, latency.avg_us)},
           {"busbw_gbs", bus_gbs(size.bytes, latency.avg_us, report.rank_count)}};
  if (mpi) row["mpi_over_this"] = speedup(*mpi, latency);
  if (const auto best = best_mpi(report, size); best && report.buckets) {
    row["best_mpi_over_this"] = speedup(*best, latency);
  }
  if (!to_twin) return row;
  Json& ratio = row[report.buckets ? "over_blocking" : "over_twin"];
  ratio = json_ratio(*to_twin);
  if (report.twin) {
    ratio["allowed"] = allowed_ratio(report, size);
    ratio["target"] = to_text(judge(report, size, *to_twin));
  }
  return row;
}

}  // namespace

std::string to_csv(const BenchReport& report) {
  std::string text =
      "bytes,series,iterations,avg_us,min_us,max_us,p50_us,p99_us,algbw_gbs,busbw_gbs,"
      "mpi_over_this";
  if (report.twin) text += csv_twin_headings;
  if (report.buckets) text += csv_bucket_headings;
  text += "\n";
  for_each_entry(report, [&](const Entry& entry) { text += csv_row(entry); });
  return text;
}

std::string to_json(const BenchReport& report) {
  Json json{{"detour", report.version},      {"collective", "allreduce"},
            {"ranks", report.rank_count},    {"type", report.type},
            {"op", report.operation},        {"in_place", report.in_place},
            {"validated", report.validated}, {"memory", report.memory}};
  if (report.lost_rank_count > 0) json["lost_ranks"] = report.lost_rank_count;
  if (!report.transport.empty()) json["transport"] = report.transport;
  if (report.limit_gbs) json["limit_gbs"] = *report.limit_gbs;
  if (report.buckets) {
    json["buckets"] = {{"count", report.buckets->sizes_bytes.size()},
                       {"bytes", report.buckets->sizes_bytes},
                       {"compute_us", report.buckets->compute_us}};
  }
  json["rows"] = Json::array();
  for_each_entry(report, [&](const Entry& entry) { json["rows"].push_back(json_row(entry)); });
  json["notes"] = report.notes;
  // Whatever bytes a name of others holds, the document stays valid.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace detour::tool
