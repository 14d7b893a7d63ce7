// Communicators that are made out of others, of those members who live.
//
// MPI's functions wait for all members of the parent, and can't be recalled when one of them dies. So first all who live meet on
// the parent's board and say what they want, until all of them have seen who is there, and have bound
// (core/binding.hpp) those who are going to be together. If nobody is missing MPI's function is called as it
// is. Otherwise each new communicator is made of its survivors, in the order of their old ranks or keys, by
// MPI_Comm_create_group.
//
//   meet: who is there, what does each want? ------> all have bound the same set: let MPI make it
//     ^                                       |
//     +--- bind one's own new communicator <--+      not yet, or somebody has died since
//
// What members say at a meeting, and who was there, is the same for all; each round but the first has fewer
// members than the one before, so there is an end. Who dies once it has been bound is a dead member of the new communicator, like any other;
// but the others can't leave MPI's function if it dies before it has done its part there (unrecallable_call.hpp).
//
// All functions here return what MPI's would, and have called error handlers.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "detour/routing/api.hpp"

namespace detour {

// How it is made when nobody is missing.
using MakeByMpi = std::function<int(MPI_Comm* made)>;

struct NewCommunicator {
  const char* function;  // its name; the same on all ranks
  // Whoever has the same one is together, by key and then by old rank. None: this rank gets no communicator.
  std::optional<std::uint64_t> color = std::nullopt;
  std::int64_t key = 0;
  // MPI makes the same of it.
  bool is_predictable = true;
  // A wrong argument, which all ranks are told of.
  int error = MPI_SUCCESS;
};

// What MPI_Comm_split's arguments ask for, in a function of that name.
DETOUR_API NewCommunicator split_into(const char* function, int color, int key);

DETOUR_API int make_communicator(MPI_Comm parent, const NewCommunicator& wanted,
                                 const MakeByMpi& make_by_mpi, MPI_Comm* made);

// Only the members of the group take part.
DETOUR_API int make_communicator_of_group(MPI_Comm parent, MPI_Group group, int tag,
                                          const MakeByMpi& make_by_mpi, MPI_Comm* made);

// What makes no sense without some of its members (topologies, two groups): all or an error.
DETOUR_API int make_communicator_of_all(MPI_Comm parent, const char* function,
                                        const MakeByMpi& make_by_mpi, MPI_Comm* made);

}  // namespace detour
