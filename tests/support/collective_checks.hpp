// Collective operations with results that every rank can work out for itself.
#pragma once

#include <mpi.h>

#include <string>

#include "support/job.hpp"

namespace detour::test {

// Every operation that the library takes over, on `count` elements and some types and operations. All
// numbers are small enough to be exact. `where` is part of what is told.
void check_collectives(Job& job, MPI_Comm comm, int count, const std::string& where);

// An operation of the user's for which the order of the ranks matters.
void check_rank_order(Job& job, MPI_Comm comm, int count, const std::string& where);

// That a nonblocking sum arrives while no rank calls MPI, and MPI_Test then says so at once.
void check_progress_by_itself(Job& job, MPI_Comm comm, int count, const std::string& where);

}  // namespace detour::test
