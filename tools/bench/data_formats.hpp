// The report for other programs.
#pragma once

#include <string>

#include "bench/bench_report.hpp"

namespace detour::tool {

// A line of headings, then one per size, or step of buckets, and series, MPI included. Figures have all their digits.
std::string to_csv(const BenchReport& report);

// One object, indented.
std::string to_json(const BenchReport& report);

}  // namespace detour::tool
