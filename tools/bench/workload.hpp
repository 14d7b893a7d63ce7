// The steps that a run measures, and the memory that they work on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_buffers.hpp"
#include "bench/bench_options.hpp"
#include "bench/bench_report.hpp"
#include "bench/peers.hpp"
#include "bench/step.hpp"

namespace detour::tool {

struct Workload {
  std::vector<Step> steps = {};  // the largest one last
  std::optional<BucketFacts> buckets = {};
};

// Collective. Notes if buckets have to be smaller than usual.
Workload make_workload(const BenchOptions& options, Peers& peers, int rank_count_on_node,
                       std::vector<std::string>& notes);

// Collective. Throws BadInput, on all ranks, if there is not memory enough.
std::unique_ptr<BenchBuffers> allocate_buffers(const BenchOptions& options,
                                               const Workload& workload, Peers& peers,
                                               int rank_count_on_node);

}  // namespace detour::tool
