#include "c_api/short_allreduce.hpp"

#include "collectives/kernel_combiner.hpp"
#include "core/communicators.hpp"
#include "fault_points.hpp"
#include "guarded.hpp"
#include "mpi/arguments.hpp"
#include "mpi/plain_reduction.hpp"
#include "mpi/report.hpp"
#include "node/block_layout.hpp"

namespace detour {
namespace {

std::optional<int> reported(MPI_Comm comm, std::optional<int> error) {
  return error && *error != MPI_SUCCESS ? report(comm, *error) : error;
}

}  // namespace

std::optional<int> allreduce_shortly(const AllreduceArguments& arguments, MPI_Comm comm) {
  const auto& [send, receive, count, type, op] = arguments;
  Communicator* const communicator = find_last_communicator(comm);
  if (communicator == nullptr) return std::nullopt;
  const PlainReduction* const plain = find_plain_reduction(type, op);
  if (plain == nullptr) return std::nullopt;
  const std::size_t element_bytes = plain->kernels.element_bytes;
  const std::uint64_t bytes = static_cast<std::uint64_t>(count) * element_bytes;
  // A negative count is a very large one here.
  if (bytes == 0 || bytes > block_layout.short_bytes_max()) return std::nullopt;
  if (check_plain_allreduce(send, receive, count, element_bytes) != MPI_SUCCESS) {
    return std::nullopt;
  }
  const KernelCombiner combiner(plain->kernels);
  ShortSum sum{.header = {.kind = CallKind::allreduce,
                          .operation = plain->operation,
                          .element = plain->element,
                          .bytes = bytes},
               .combiner = &combiner,
               .element_count = static_cast<std::size_t>(count),
               .input = static_cast<const std::byte*>(send == MPI_IN_PLACE ? receive : send),
               .output = static_cast<std::byte*>(receive)};
  DETOUR_FAULT_POINT("call-began");
  std::optional<int> error;
  const int thrown = guarded([&] {
    error = communicator->run_shortly(sum);
    return MPI_SUCCESS;
  });
  return reported(comm, thrown == MPI_SUCCESS ? error : thrown);
}

}  // namespace detour
