#include "core/waiting.hpp"

#include <mpi.h>

#include <mutex>
#include <utility>

#include "core/own_comm.hpp"
#include "placement/hardware_place.hpp"

namespace detour {
namespace {

// Nobody ever sends on it: a probe that finds nothing makes progress, one that finds something does not.
// Made before the first wait and freed at the end; only read in between. Whoever calls the library later
// still, as MPI_Finalize calls back, has to make do with the program's.
MPI_Comm quiet_comm = MPI_COMM_SELF;
bool is_over = false;
std::mutex quiet_comm_mutex;

std::size_t core_count() {
  return static_cast<std::size_t>(hardware_place().machine_core_count);
}

void make_quiet_comm() {
  const std::lock_guard lock(quiet_comm_mutex);
  if (quiet_comm == MPI_COMM_SELF && !is_over) quiet_comm = make_own_comm(MPI_COMM_SELF);
}

}  // namespace

void make_mpi_progress() {
  int found = 0;
  PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, quiet_comm, &found, MPI_STATUS_IGNORE);
}

bool is_crowded(std::size_t rank_count) {
  return rank_count > core_count();
}

Waiter waiter_for(std::size_t rank_count, Activity& activity, std::function<bool()> should_stop) {
  make_quiet_comm();
  return Waiter(WaitPolicy::for_load(rank_count, core_count()),
                {.progress =
                     [&activity] {
                       activity.moved();
                       make_mpi_progress();
                     },
                 .should_stop = std::move(should_stop)});
}

void end_waiting() {
  const std::lock_guard lock(quiet_comm_mutex);
  is_over = true;
  if (quiet_comm == MPI_COMM_SELF) return;
  PMPI_Comm_free(&quiet_comm);
  quiet_comm = MPI_COMM_SELF;
}

}  // namespace detour
