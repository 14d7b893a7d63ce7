// The report as a picture: time or bandwidth over message size, both logarithmic.
#pragma once

#include <string>

#include "bench/bench_report.hpp"

namespace detour::tool {

enum class PlotKind { latency, bandwidth };

// One line per series; where the report knows the memory's limit, that too, dashed.
std::string plot_svg(const BenchReport& report, PlotKind kind);

}  // namespace detour::tool
