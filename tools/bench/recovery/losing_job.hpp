// A rank of a job that loses ranks on purpose.
//
// It has two communicators: one for the operations that are measured, and one over which the ranks agree on what
// they do next. The second goes through the library as well, so it does without the dead by itself.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace detour::tool {

class LosingJob {
 public:
  // Collective. Throws BadInput, on all ranks, if the job would not go on without a rank.
  explicit LosingJob(const std::optional<std::string>& policy);

  MPI_Comm measured() const { return measured_; }
  int rank() const { return rank_; }
  int rank_count() const { return rank_count_; }
  // Those who took part in the last agreement, ascending.
  const std::vector<int>& live_ranks() const { return live_ranks_; }
  bool speaks() const { return live_ranks_.front() == rank_; }

  // Over the live ranks, element by element. Collective, as what follows.
  std::vector<std::int64_t> maxima(std::vector<std::int64_t> values);
  void meet() { maxima({0}); }

 private:
  MPI_Comm measured_ = MPI_COMM_NULL;
  MPI_Comm control_ = MPI_COMM_NULL;
  int rank_ = 0;
  int rank_count_ = 1;
  std::vector<int> live_ranks_;
};

// Ranks whose data is in the last result of the communicator, ascending.
std::vector<int> last_contributors(MPI_Comm comm);

// Throws with MPI's words for an error, which ends the job.
void check_mpi(int error, const char* what);

std::int64_t monotonic_ns();

}  // namespace detour::tool
