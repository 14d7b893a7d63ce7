#include "compare/report.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "compare/comparison_json.hpp"
#include "compare/plots.hpp"
#include "exit_status.hpp"
#include "output.hpp"

namespace detour::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string place_name(bool in_place) {
  return in_place ? "in-place" : "out-of-place";
}

// What was measured of others at the sizes of `into`.
void add_outsiders(Comparison& into, const Comparison& outsiders) {
  into.series.insert(into.series.end(), outsiders.series.begin(), outsiders.series.end());
  for (ComparedSize& size : into.sizes) {
    const auto same = std::ranges::find(outsiders.sizes, size.bytes, &ComparedSize::bytes);
    if (same == outsiders.sizes.end()) {
      size.medians.resize(into.series.size());
    } else {
      size.medians.insert(size.medians.end(), same->medians.begin(), same->medians.end());
    }
  }
  into.notes.insert(into.notes.end(), outsiders.notes.begin(), outsiders.notes.end());
}

}  // namespace

bool has_place(const Report& report, bool in_place) {
  return std::ranges::any_of(report.comparisons, [in_place](const Comparison& comparison) {
    return comparison.in_place == in_place;
  });
}

void add(Report& report, const Comparison& comparison) {
  const auto same = std::ranges::find_if(report.comparisons, [&](const Comparison& one) {
    return one.rank_count == comparison.rank_count && one.in_place == comparison.in_place;
  });
  if (same == report.comparisons.end()) {
    report.comparisons.push_back(comparison);
  } else {
    add_outsiders(*same, comparison);
  }
}

std::string to_json(const Report& report) {
  Json json{{"facts", Json::object()}, {"notes", report.notes}, {"comparisons", Json::array()}};
  for (const Fact& fact : report.facts) json["facts"][fact.name] = fact.value;
  for (const Comparison& comparison : report.comparisons) {
    json["comparisons"].push_back(Json::parse(to_json(comparison)));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string times_plot_name(const Comparison& comparison) {
  return "times-" + std::to_string(comparison.rank_count) + "-ranks-" +
         place_name(comparison.in_place) + ".svg";
}

std::string ratios_plot_name(bool in_place) {
  return "ratios-" + place_name(in_place) + ".svg";
}

void write_report(const Report& report, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw BadInput("can't make the folder " + folder + ": " + error.message());
  const std::string prefix = folder + "/";
  for (const Comparison& comparison : report.comparisons) {
    write_file(prefix + times_plot_name(comparison), times_svg(comparison));
  }
  for (const bool in_place : {false, true}) {
    if (!has_place(report, in_place)) continue;
    write_file(prefix + ratios_plot_name(in_place), ratios_svg(report.comparisons, in_place));
  }
  write_file(prefix + "comparison.json", to_json(report));
  write_file(prefix + "comparison.md", to_markdown(report));
}

}  // namespace detour::tool
