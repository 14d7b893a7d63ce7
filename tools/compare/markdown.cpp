#include <algorithm>

#include "compare/report.hpp"
#include "format.hpp"

namespace detour::tool {
namespace {

std::string us_text(const std::optional<Median>& median) {
  if (!median) return "-";
  const std::string us = fixed(median->us, median->us < 100 ? 2 : 0);
  return median->of_trial ? "(" + us + ")" : us;
}

std::string ratio_text(const std::optional<Ratio>& ratio) {
  if (!ratio) return "-";
  return fixed(ratio->ratio, 2) + " (" + fixed(ratio->low, 2) + " to " + fixed(ratio->high, 2) +
         ")";
}

// The limit's time is the yardstick, so here it is how many times as long Detour takes.
std::string limit_text(const std::optional<Ratio>& ratio) {
  return ratio ? fixed(1 / ratio->ratio, 2) : "-";
}

std::string times_text(const std::optional<Ratio>& ratio) {
  return ratio ? fixed(ratio->ratio, 2) : "-";
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string head(const std::vector<std::string>& cells) {
  return row(cells) + row(std::vector<std::string>(cells.size(), "---"));
}

std::vector<std::string> standing_cells(const Comparison& comparison, const ComparedSize& found,
                                        Buffers buffers) {
  const Standing* const standing = find_standing(found, buffers);
  if (standing == nullptr) return {"-", "-", "-"};
  return {us_text(detour_median(comparison, found, buffers)), ratio_text(standing->to_best_peer),
          limit_text(standing->to_limit)};
}

std::string standings_table(const Comparison& comparison) {
  std::string text = head({"size", "best peer", "us", "of the limit", "Detour, us", "ratio",
                           "of the limit", "Detour_Alloc, us", "ratio", "of the limit"});
  for (const ComparedSize& found : comparison.sizes) {
    const auto best = fastest(comparison, found, Role::peer);
    std::vector<std::string> cells{size(found.bytes), best ? comparison.series[*best].name : "-",
                                   best ? us_text(found.medians[*best]) : "-",
                                   times_text(found.best_peer_to_limit)};
    for (const Buffers buffers : {Buffers::any, Buffers::shared}) {
      const auto more = standing_cells(comparison, found, buffers);
      cells.insert(cells.end(), more.begin(), more.end());
    }
    text += row(cells);
  }
  return text;
}

std::string medians_table(const Comparison& comparison) {
  std::vector<std::string> names{"size"};
  for (const Series& series : comparison.series) names.push_back(series.name);
  std::string text = head(names);
  for (const ComparedSize& found : comparison.sizes) {
    std::vector<std::string> cells{size(found.bytes)};
    for (const auto& median : found.medians) cells.push_back(us_text(median));
    text += row(cells);
  }
  return text;
}

std::string section(const Comparison& comparison) {
  std::string text =
      "## " + count(comparison.rank_count, "rank") + ", " + place_words(comparison.in_place) +
      "\n\n![Times](" + times_plot_name(comparison) + ")\n\n" + standings_table(comparison) +
      "\nMedians of everybody, in us; in brackets those of a trial, which was too slow:\n\n" +
      medians_table(comparison);
  for (const std::string& note : comparison.notes) text += "\n" + one_line(note) + ".\n";
  return text + "\n";
}

}  // namespace

std::string to_markdown(const Report& report) {
  std::string text =
      "# Allreduce on one node, beside others\n\n"
      "Written by `benchmarks/compare`; [benchmarks/README.md](../README.md) says how it "
      "measures.\n"
      "Sum of floats. A ratio is the best peer's median over Detour's: above 1 Detour is faster. "
      "\"Of the\n"
      "limit\" is how many times as long one takes as nobody can do without: from 64 KiB on, to "
      "read every\n"
      "input and to write every output once; below, to meet, with no data at all. No ratio can be "
      "larger\n"
      "than the best peer's figure there. Data have to get from rank to rank as well: among the "
      "targets\n"
      "stands what a bare exchange takes, or, where all ranks can read the buffers, a bare mapped "
      "sum.\n\n";
  text += head({"", ""});
  for (const Fact& fact : report.facts) text += row({fact.name, one_line(fact.value)});
  for (const std::string& note : report.notes) text += "\n" + one_line(note) + ".\n";
  text += "\n";
  for (const bool in_place : {false, true}) {
    if (!has_place(report, in_place)) continue;
    text += "![Ratios, " + place_words(in_place) + "](" + ratios_plot_name(in_place) + ")\n\n";
  }
  text += "## Targets\n\n```\n" + gate_text(make_checks(report.comparisons)) + "```\n\n";
  for (const Comparison& comparison : report.comparisons) text += section(comparison);
  text.pop_back();
  return text;
}

}  // namespace detour::tool
