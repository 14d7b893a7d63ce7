// A call that may wait inside MPI for ranks that have died: where a death is known it is an error at once, and
// one that happens while it lasts ends the job, see core/call_watch.hpp.
#pragma once

#include <mpi.h>

#include <tuple>
#include <type_traits>
#include <vector>

#include "core/call_watch.hpp"
#include "core/dead_ranks.hpp"
#include "guarded.hpp"
#include "shim/call_subject.hpp"
#include "shim/survival.hpp"

namespace detour::shim {

// Whether a function opens a file: it takes a communicator, and the place for a file.
template <class Types, class Handle>
inline constexpr bool opens_file =
    std::is_same_v<Handle, MPI_Comm>&& position_of_any<Types, MPI_File*>(
        std::tuple_size_v<Types>) != std::tuple_size_v<Types>;

// Errors of MPI_File_open go where those of files do that are not open.
template <class Types, class Handle>
int report_for(Handle handle, int error) {
  if constexpr (opens_file<Types, Handle>) {
    return report(MPI_FILE_NULL, error);
  } else {
    return report(handle, error);
  }
}

// Exceptions as errors, for the whole body of a function.
template <class Types, class Handle, class Body>
int reporting_exceptions_for(Handle handle, const Body& body) {
  return guarded(body, [&](int error) { return report_for<Types>(handle, error); });
}

// `Types` are C's parameters, `call` makes the call.
template <class Types, class Handle, class Call>
int run_unrecallable(const char* name, Handle handle, const Call& call) {
  if (is_null(handle) || !survives_deaths()) return call();
  const std::vector<int> dead = dead_members(handle);
  if (!dead.empty()) return report_for<Types>(handle, process_failed_code(dead));
  const CallWatch watch(name, members_of(handle));
  return call();
}

// Its argument itself, or what it points to.
template <class Handle>
Handle handle_in(Handle argument) {
  return argument;
}
inline MPI_Comm handle_in(MPI_Comm* argument) {
  return argument == nullptr ? MPI_COMM_NULL : *argument;
}
inline MPI_Win handle_in(MPI_Win* argument) {
  return argument == nullptr ? MPI_WIN_NULL : *argument;
}
inline MPI_File handle_in(MPI_File* argument) {
  return argument == nullptr ? MPI_FILE_NULL : *argument;
}

}  // namespace detour::shim
