#include "bench/node_barrier.hpp"

#include <sched.h>

#include <atomic>
#include <utility>

#include "placement/hardware_place.hpp"
#include "shm/pause_core.hpp"

namespace detour::tool {
namespace {

// Others may need MPI to get on with something before they can come here.
constexpr unsigned looks_per_progress = 8;

// With a core of one's own there is nobody to leave it to, and asking the system takes longer than what is awaited.
constexpr unsigned spin_count_of_lone_ranks = 1000;

void make_progress(MPI_Comm comm) {
  int found = 0;
  PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, MPI_STATUS_IGNORE);
}

// Errors of the communicator come back as values as long as this lives.
class ErrorsReturn {
 public:
  explicit ErrorsReturn(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_get_errhandler(comm, &before_);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturn() {
    PMPI_Comm_set_errhandler(comm_, before_);
    PMPI_Errhandler_free(&before_);
  }
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

}  // namespace

std::unique_ptr<NodeBarrier> NodeBarrier::make(MPI_Comm comm) {
  std::unique_ptr<NodeBarrier> barrier(new NodeBarrier(comm));
  int has_memory = barrier->arrival_count_ != nullptr ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &has_memory, 1, MPI_INT, MPI_MIN, comm);
  return has_memory != 0 ? std::move(barrier) : nullptr;
}

NodeBarrier::NodeBarrier(MPI_Comm comm) : comm_(comm) {
  int rank = 0;
  int count = 1;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &count);
  rank_count_ = static_cast<std::uint64_t>(count);
  if (count <= hardware_place().machine_core_count) spin_count_ = spin_count_of_lone_ranks;
  void* own = nullptr;
  const ErrorsReturn errors_return(comm);
  if (PMPI_Win_allocate_shared(rank == 0 ? sizeof(std::uint64_t) : 0, 1, MPI_INFO_NULL, comm, &own,
                               &window_) != MPI_SUCCESS) {
    window_ = MPI_WIN_NULL;
    return;
  }
  MPI_Aint bytes = 0;
  int unit_bytes = 0;
  PMPI_Win_shared_query(window_, 0, &bytes, &unit_bytes, &arrival_count_);
  if (rank == 0) *arrival_count_ = 0;
}

NodeBarrier::~NodeBarrier() {
  if (window_ != MPI_WIN_NULL) PMPI_Win_free(&window_);
}

// Release and acquire: who leaves sees what all had written before they came. The count only rises, so that nobody can miss
// the moment in which all are there.
void NodeBarrier::wait() {
  const std::atomic_ref<std::uint64_t> arrived(*arrival_count_);
  awaited_count_ += rank_count_;
  arrived.fetch_add(1, std::memory_order_acq_rel);
  const auto are_all_here = [&] {
    return arrived.load(std::memory_order_acquire) >= awaited_count_;
  };
  for (unsigned spins = 0; spins < spin_count_ && !are_all_here(); ++spins) pause_core();
  for (unsigned looks = 1; !are_all_here(); ++looks) {
    ::sched_yield();
    if (looks % looks_per_progress == 0) make_progress(comm_);
  }
}

}  // namespace detour::tool
