// The table for people, in parts, so that each size shows as soon as it is measured.
#pragma once

#include <string>

#include "bench/bench_report.hpp"

namespace detour::tool {

// What was measured, and the headings.
std::string table_head(const BenchReport& report);
// One line per series, MPI excepted: it has columns of its own next to every other. Of a step of buckets MPI has lines,
// too.
std::string table_rows(const BenchReport& report, const SizeResult& size);
// Notes on what was left out; empty if nothing was.
std::string table_notes(const BenchReport& report);

}  // namespace detour::tool
