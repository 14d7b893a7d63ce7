// A report that has found nothing yet.
#pragma once

#include "bench/bench_report.hpp"

namespace detour::test {

inline tool::BenchReport facts_of_four_ranks() {
  tool::BenchReport report;
  report.version = "1.2.3";
  report.rank_count = 4;
  report.type = "float";
  report.operation = "sum";
  report.memory = "malloc";
  return report;
}

}  // namespace detour::test
