// A call to measure: Detour_Allreduce on one communicator, or MPI's.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "bench/bench_report.hpp"

namespace detour::tool {

struct Contestant {
  SeriesName series;
  // `send` is null for an operation in place. Gives an MPI error code, zero if all went well, which is
  // of the same class on all ranks.
  std::function<int(const void* send, void* receive, int count)> call;
  std::function<std::string(int error)> describe;
};

}  // namespace detour::tool
