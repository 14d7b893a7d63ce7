// The table of a step of buckets: a line per series, MPI's among them.
#pragma once

#include <string>

#include "bench/bench_report.hpp"

namespace detour::tool {

// What the buckets are, and the names of columns.
std::string bucket_headings(const BenchReport& report);
std::string bucket_rows(const BenchReport& report, const SizeResult& size);

}  // namespace detour::tool
