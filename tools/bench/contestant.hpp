// A call to measure: Detour_Allreduce or Detour_Iallreduce on one communicator, or MPI's.
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
  // For calls that don't wait: waits for all since the last time. None where calls are done when they return.
  std::function<int()> finish = {};
  std::function<std::string(int error)> describe;
};

}  // namespace detour::tool
