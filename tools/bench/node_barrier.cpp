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

}  // namespace

std::unique_ptr<NodeBarrier> NodeBarrier::make(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  auto window = NodeWindow::make(comm, rank == 0 ? sizeof(std::uint64_t) : 0);
  if (!window) return nullptr;
  return std::unique_ptr<NodeBarrier>(new NodeBarrier(comm, std::move(window)));
}

NodeBarrier::NodeBarrier(MPI_Comm comm, std::unique_ptr<NodeWindow> window)
    : comm_(comm),
      window_(std::move(window)),
      arrival_count_(reinterpret_cast<std::uint64_t*>(window_->part(0))) {
  const auto core_count = static_cast<std::size_t>(hardware_place().machine_core_count);
  if (window_->rank_count() <= core_count) spin_count_ = spin_count_of_lone_ranks;
}

// Release and acquire: who leaves sees what all had written before they came. The count only rises, so that nobody can miss
// the moment in which all are there.
void NodeBarrier::wait() {
  const std::atomic_ref<std::uint64_t> arrived(*arrival_count_);
  awaited_count_ += window_->rank_count();
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
