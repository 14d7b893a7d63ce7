// How the benchmarks print what they measured.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

namespace detour {

// Of the statistics over the repetitions only the median: one short row per measurement.
class Medians final : public benchmark::ConsoleReporter {
 public:
  Medians() : ConsoleReporter(OO_Tabular) {}

  bool ReportContext(const Context& context) override {
    Context narrow = context;
    narrow.name_field_width = 36;
    return ConsoleReporter::ReportContext(narrow);
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> shown;
    for (Run run : runs) {
      if (run.run_type == Run::RT_Aggregate && run.aggregate_name != "median") continue;
      run.run_name.min_time.clear();
      run.run_name.repetitions.clear();
      run.run_name.time_type.clear();
      shown.push_back(run);
    }
    ConsoleReporter::ReportRuns(shown);
  }
};

}  // namespace detour
