#include "core/recallable_collective.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>

namespace detour {
namespace {

// MPI makes progress only while it is called, so that sleep has to be short; with more ranks than cores
// whoever is waited for may need this very core.
void rest(unsigned look_count) {
  constexpr unsigned spin_count = 20;
  constexpr unsigned yield_count = 2000;
  constexpr long slice_ns = 20'000;
  constexpr long slice_ns_max = 1'000'000;
  if (look_count < spin_count) return;
  if (look_count < spin_count + yield_count) {
    sched_yield();
    return;
  }
  const long slices = 1 + static_cast<long>(look_count - spin_count - yield_count) / 50;
  const timespec time{0, std::min(slice_ns * slices, slice_ns_max)};
  nanosleep(&time, nullptr);
}

}  // namespace

bool wait_unless(MPI_Request* request, const std::function<bool()>& is_pointless) {
  for (unsigned look_count = 0;; ++look_count) {
    int has_ended = 0;
    PMPI_Test(request, &has_ended, MPI_STATUS_IGNORE);
    if (has_ended != 0) return true;
    if (is_pointless()) return false;
    rest(look_count);
  }
}

}  // namespace detour
