// A whole run of `detour bench`, on every rank of an MPI job.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_options.hpp"
#include "bench/line_up.hpp"
#include "bench/mpi_job.hpp"

namespace detour::tool {

// Collective. Throws the same on all ranks: BadInput, Refused or Defect.
void run_bench(const BenchOptions& options);

// The same among some of the ranks, for contestants of the caller's.
struct BenchCast {
  MpiPeers& peers;
  int lost_rank_count = 0;
  std::optional<TwinKind> twin = {};
  // Collective. May leave some out, with notes.
  std::function<std::unique_ptr<LineUp>(std::vector<std::string>& notes)> make_line_up;
};
void run_bench(const BenchOptions& options, const BenchCast& cast);

}  // namespace detour::tool
