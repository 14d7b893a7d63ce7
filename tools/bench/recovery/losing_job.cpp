#include "bench/recovery/losing_job.hpp"

#include <chrono>
#include <numeric>
#include <stdexcept>

#include "bench/mpi_job.hpp"
#include "bench/recovery/recovery_options.hpp"
#include "detour/detour.h"
#include "exit_status.hpp"
#include "launcher_channel.hpp"

namespace detour::tool {
namespace {

MPI_Comm known_duplicate_of_world(const std::optional<std::string>& policy) {
  MPI_Comm comm = MPI_COMM_NULL;
  PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (policy) check_mpi(Detour_Set(comm, "policy", policy->c_str()), "setting the policy");
  check_mpi(Detour_Prepare(comm), "preparing a communicator");
  return comm;
}

bool is_on_one_node(int rank_count) {
  return MpiPeers(MPI_COMM_WORLD).count_on_node() == rank_count;
}

}  // namespace

LosingJob::LosingJob(const std::optional<std::string>& policy) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  PMPI_Comm_size(MPI_COMM_WORLD, &rank_count_);
  if (!is_under_launcher()) {
    throw BadInput(
        "mpirun would end the job with its first rank: use 'detourrun --no-preload -np N detour "
        "bench ...', or no launcher, and jobs are started as they are needed");
  }
  if (rank_count_ < 2 || rank_count_ > recovery_rank_count_max) {
    throw BadInput("ranks can be lost by jobs of 2 to " + std::to_string(recovery_rank_count_max) +
                   " ranks, not of " + std::to_string(rank_count_));
  }
  if (!is_on_one_node(rank_count_)) {
    throw BadInput("all ranks have to be on one node: their clocks are compared");
  }
  measured_ = known_duplicate_of_world(policy);
  control_ = known_duplicate_of_world(std::nullopt);
  live_ranks_.resize(static_cast<std::size_t>(rank_count_));
  std::iota(live_ranks_.begin(), live_ranks_.end(), 0);
}

std::vector<std::int64_t> LosingJob::maxima(std::vector<std::int64_t> values) {
  check_mpi(Detour_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                             MPI_INT64_T, MPI_MAX, control_),
            "agreeing on what to do next");
  live_ranks_ = last_contributors(control_);
  return values;
}

std::vector<int> last_contributors(MPI_Comm comm) {
  Detour_Result result;
  check_mpi(Detour_Last_result(comm, &result), "asking who contributed");
  std::vector<int> ranks;
  for (int rank = 0; rank < 64 * result.word_count; ++rank) {
    if ((result.contributors[rank / 64] >> (rank % 64) & 1) != 0) ranks.push_back(rank);
  }
  return ranks;
}

void check_mpi(int error, const char* what) {
  if (error != MPI_SUCCESS) {
    throw std::runtime_error(std::string(what) + ": " + mpi_error_text(error));
  }
}

std::int64_t monotonic_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace detour::tool
