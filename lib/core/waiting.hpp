// How the program's threads wait in collective calls.
#pragma once

#include <cstddef>
#include <functional>

#include "detour/routing/api.hpp"
#include "failure/activity.hpp"
#include "shm/waiter.hpp"

namespace detour {

// Lets MPI do what the program has begun: another rank may be unable to come here before that.
DETOUR_API void make_mpi_progress();

// Whether so many ranks on this node have to share cores.
bool is_crowded(std::size_t rank_count);

// With so many ranks on this node. From the first one on MPI has to be running. The activity, of the communicator that
// is waited on, has to live longer.
Waiter waiter_for(std::size_t rank_count, Activity& activity,
                  std::function<bool()> should_stop = {});

// When there is nothing left to wait for; before MPI ends.
void end_waiting();

}  // namespace detour
