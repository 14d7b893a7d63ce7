#include "bench/workload.hpp"

#include <new>

#include "bench/detour_memory.hpp"
#include "bench/node_memory.hpp"
#include "exit_status.hpp"
#include "format.hpp"

namespace detour::tool {
namespace {

// Open MPI makes copies for nonblocking allreduces, up to one of all that are under way.
bool has_copies(const BenchOptions& options) {
  return options.buckets && options.with_mpi;
}

// How many bytes a rank needs for each byte of buckets.
std::uint64_t bytes_per_byte(const BenchOptions& options) {
  return (options.in_place ? 1U : 2U) + (has_copies(options) ? 1U : 0U);
}

std::string who_needs(const BenchOptions& options) {
  if (!options.buckets) return "the largest message needs";
  return "a step of " + count(static_cast<std::int64_t>(options.buckets->count), "bucket") +
         " needs";
}

}  // namespace

Workload make_workload(const BenchOptions& options, Peers& peers, int rank_count_on_node,
                       std::vector<std::string>& notes) {
  Workload workload;
  for (const std::uint64_t bytes : options.sizes_bytes) {
    workload.steps.push_back(step_of_message(bytes));
  }
  if (!options.buckets) return workload;
  // Half of what there is: others use the machine, too.
  const std::uint64_t room_bytes = least_memory_share(peers, rank_count_on_node) / 2;
  BucketSizes sizes = choose_bucket_sizes(*options.buckets, options.type.bytes,
                                          room_bytes / bytes_per_byte(options));
  if (sizes.divisor > 1) {
    notes.push_back("buckets have 1/" + std::to_string(sizes.divisor) +
                    " of their usual sizes: memory is short");
  }
  workload.steps.push_back(step_of_buckets(sizes.bytes, options.buckets->compute_us));
  workload.buckets = {.sizes_bytes = std::move(sizes.bytes),
                      .compute_us = options.buckets->compute_us};
  return workload;
}

std::unique_ptr<BenchBuffers> allocate_buffers(const BenchOptions& options,
                                               const Workload& workload, Peers& peers,
                                               int rank_count_on_node) {
  const std::size_t extent_bytes = workload.steps.back().extent_bytes();
  const std::size_t buffer_bytes = BenchBuffers::memory_bytes(extent_bytes, options.in_place);
  check_memory(peers, rank_count_on_node, buffer_bytes + (has_copies(options) ? extent_bytes : 0),
               who_needs(options));
  if (options.memory_from_detour) make_room_in_library(buffer_bytes + 2 * BenchBuffers::page_bytes);
  std::unique_ptr<BenchBuffers> buffers;
  std::string own;
  try {
    buffers = std::make_unique<BenchBuffers>(
        extent_bytes, options.in_place,
        options.memory_from_detour ? allocate_from_detour : allocate_from_system);
  } catch (const std::bad_alloc&) {
    own = "rank " + std::to_string(peers.rank()) + " gets no memory for buffers of " +
          std::to_string(extent_bytes) + " bytes";
  }
  const std::string complaint = peers.first_complaint(own);
  if (!complaint.empty()) throw BadInput(complaint);
  return buffers;
}

}  // namespace detour::tool
