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

std::string csv_twin_cells(const BenchReport& report, const SizeResult& size,
                           const SeriesName& series) {
  if (series.role != SeriesRole::subject || !size.to_twin) return ",,,,,,";
  const Ratio& ratio = *size.to_twin;
  std::string text;
  for (const double figure :
       {ratio.ratio, ratio.low, ratio.high, ratio.difference_ns, allowed_ratio(report, size)}) {
    text += "," + exact(figure);
  }
  return text + "," + std::string(to_text(judge(report, size)));
}

std::string csv_row(const BenchReport& report, const SizeResult& size, const SeriesName& series,
                    const Latency& latency) {
  std::string line = std::to_string(size.bytes) + "," + csv_word(series.name) + "," +
                     std::to_string(size.iteration_count);
  for (const double figure : {latency.avg_us, latency.min_us, latency.max_us, latency.p50_us,
                              latency.p99_us, algorithm_gbs(size.bytes, latency.avg_us),
                              bus_gbs(size.bytes, latency.avg_us, report.rank_count)}) {
    line += "," + exact(figure);
  }
  const auto mpi = latency_of(SeriesRole::mpi, report, size);
  line += "," + (mpi ? exact(speedup(*mpi, latency)) : "");
  return line + (report.twin ? csv_twin_cells(report, size, series) : "") + "\n";
}

Json json_row(const BenchReport& report, const SizeResult& size, const SeriesName& series,
              const Latency& latency) {
  Json row{{"bytes", size.bytes},
           {"series", series.name},
           {"iterations", size.iteration_count},
           {"avg_us", latency.avg_us},
           {"min_us", latency.min_us},
           {"max_us", latency.max_us},
           {"p50_us", latency.p50_us},
           {"p99_us", latency.p99_us},
           {"algbw_gbs", algorithm_gbs(size.bytes, latency.avg_us)},
           {"busbw_gbs", bus_gbs(size.bytes, latency.avg_us, report.rank_count)}};
  if (const auto mpi = latency_of(SeriesRole::mpi, report, size))
    row["mpi_over_this"] = speedup(*mpi, latency);
  if (report.twin && series.role == SeriesRole::subject && size.to_twin) {
    row["over_twin"] = {{"ratio", size.to_twin->ratio},
                        {"low", size.to_twin->low},
                        {"high", size.to_twin->high},
                        {"difference_ns", size.to_twin->difference_ns},
                        {"allowed", allowed_ratio(report, size)},
                        {"target", to_text(judge(report, size))}};
  }
  return row;
}

// Calls `visit(size, series, latency)` for everything that was measured.
template <class Visit>
void for_each_latency(const BenchReport& report, const Visit& visit) {
  for (const SizeResult& size : report.sizes) {
    for (std::size_t index = 0; index < report.series.size(); ++index) {
      if (size.latencies[index]) visit(size, report.series[index], *size.latencies[index]);
    }
  }
}

}  // namespace

std::string to_csv(const BenchReport& report) {
  std::string text =
      "bytes,series,iterations,avg_us,min_us,max_us,p50_us,p99_us,algbw_gbs,busbw_gbs,"
      "mpi_over_this";
  if (report.twin) text += csv_twin_headings;
  text += "\n";
  for_each_latency(report, [&](const auto& size, const auto& series, const auto& latency) {
    text += csv_row(report, size, series, latency);
  });
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
  json["rows"] = Json::array();
  for_each_latency(report, [&](const auto& size, const auto& series, const auto& latency) {
    json["rows"].push_back(json_row(report, size, series, latency));
  });
  json["notes"] = report.notes;
  // Whatever bytes a name of others holds, the document stays valid.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace detour::tool
