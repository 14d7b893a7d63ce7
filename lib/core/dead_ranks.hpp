// Which ranks have died, for any communicator, also ones that the library has never seen.
//
// What is known is kept by rank in MPI_COMM_WORLD; other communicators' ranks are translated when somebody asks.
// So those that take a communicator or a group call MPI: they are for threads that may do that.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "detour/routing/api.hpp"
#include "failure/peer_state.hpp"

namespace detour {

// Whether the deaths of all other ranks of the job are noticed: it runs on one node, and there is a detector.
// One load; never true before MPI_COMM_WORLD has been made known to the library.
DETOUR_API bool deaths_are_noticed();

// One load while nobody has died.
DETOUR_API bool any_rank_is_dead();
// How often a death has been noticed: changes when any answer below may have changed. One load.
DETOUR_API std::uint64_t death_count();

// By rank in MPI_COMM_WORLD: for threads that may not call MPI, too.
bool world_rank_is_dead(int world_rank);

// Whether that rank of the communicator (of its remote group, for one of two groups) is dead. False for
// MPI_PROC_NULL, MPI_ANY_SOURCE, and whatever else is no rank.
DETOUR_API bool is_dead(MPI_Comm comm, int rank);

// All dead ranks of the communicator (the remote group's for one of two groups), ascending; and of a group.
DETOUR_API std::vector<int> dead_ranks(MPI_Comm comm);
DETOUR_API std::vector<int> dead_ranks_of_group(MPI_Group group);

// An error code of class process_failed_class() whose text names the rank: "rank 3 of the communicator has died".
DETOUR_API int process_failed_code(int rank);
// The same for several: names them all, as far as MPI has room for them.
DETOUR_API int process_failed_code(const std::vector<int>& ranks);

// Calls the communicator's error handler with the code, and returns it if that does.
DETOUR_API int report_process_failed(MPI_Comm comm, int code);
// Ends the job with the code's text if that is what the communicator's error handler does (MPI_ERRORS_ARE_FATAL).
// For those who report the error in another way than by report_process_failed, say in a list of statuses.
DETOUR_API void end_job_if_fatal(MPI_Comm comm, int code);

// Whether all threads of all the dead have ended. Until then, which is for some milliseconds, a message of one of
// them may still come in, or a part of one.
DETOUR_API bool dead_are_quiet();

// For whoever makes processes known to the detector: which of them is which rank of MPI_COMM_WORLD. Before the
// detector hears of the process, so that its death finds it here. Not for processes of other worlds.
void remember_world_rank(PeerId process, int world_rank);

}  // namespace detour
